package catalog

import (
	"errors"
	"net/http"
	"time"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/runtime"
)

// Clients match the beginnings of these messages.

func noSuchNamespace(name levels) *runtime.Error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "Namespace does not exist: %s", name)
}

func noSuchTable(name identifier) *runtime.Error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchTableException", "Table does not exist: %s", name)
}

func noSuchView(name identifier) *runtime.Error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchViewException", "View does not exist: %s", name)
}

func noSuchWarehouse(name string) *runtime.Error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchWarehouseException", "Warehouse does not exist: %s", name)
}

func namespaceExists(name levels) *runtime.Error {
	return alreadyExists("Namespace already exists: %s", name)
}

func namespaceNotEmpty(name levels) *runtime.Error {
	return runtime.Errorf(http.StatusConflict, "NamespaceNotEmptyException", "Namespace is not empty: %s", name)
}

func alreadyExists(format string, args ...any) *runtime.Error {
	return runtime.Errorf(http.StatusConflict, "AlreadyExistsException", format, args...)
}

// nameTaken answers an attempt to make an entry of the wanted kind where one of
// the other kind or the same is already.
func nameTaken(name identifier, wanted, there database.Kind) *runtime.Error {
	switch {
	case there == database.Table && wanted == database.View:
		return alreadyExists("Table with same name already exists: %s", name)
	case there == database.View && wanted == database.Table:
		return alreadyExists("View with same name already exists: %s", name)
	case there == database.View:
		return alreadyExists("View already exists: %s", name)
	}
	return alreadyExists("Table already exists: %s", name)
}

func badRequest(format string, args ...any) *runtime.Error {
	return runtime.Errorf(http.StatusBadRequest, "", format, args...)
}

// retryAfter is when a client may come back to a database that was busy.
const retryAfter = time.Second

// answerTo gives an error of the database or of the metadata engine the status
// and type that clients understand. Others stay as they are: a 500 that tells
// the client nothing.
func answerTo(err error) error {
	var answer *runtime.Error
	var wrong *fault.Error
	switch {
	case err == nil, errors.As(err, &answer):
		return err
	case errors.As(err, &wrong):
		answer = runtime.Errorf(wrong.Kind.Status(), wrong.Kind.Type(), "%s", wrong.Message)
		if wrong.Kind == fault.Unavailable {
			answer.RetryAfter, answer.NotApplied = retryAfter, true
			err = wrong.Unwrap() // what the log needs
		}
		if wrong.Kind == fault.Denied {
			answer.NotApplied = true
			err = wrong.Unwrap()
		}
	case errors.Is(err, database.ErrUnknownOutcome):
		answer = runtime.Errorf(http.StatusInternalServerError, runtime.TypeStateUnknown,
			"The change was sent to the database and its answer did not come; whether it was applied is not known")
	case errors.Is(err, database.ErrBusy), errors.Is(err, database.ErrUnreachable):
		answer = runtime.Errorf(http.StatusServiceUnavailable, "", "The catalog's database is busy or out of reach; nothing was changed")
		answer.RetryAfter, answer.NotApplied = retryAfter, true
	default:
		return err
	}
	answer.Cause = err
	return answer
}
