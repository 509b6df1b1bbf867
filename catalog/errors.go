package catalog

import (
	"net/http"

	"github.com/onceberg/onceberg/runtime"
)

// Clients match the beginnings of these messages.

func noSuchNamespace(name levels) *runtime.Error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchNamespaceException", "Namespace does not exist: %s", name)
}

func namespaceExists(name levels) *runtime.Error {
	return runtime.Errorf(http.StatusConflict, "AlreadyExistsException", "Namespace already exists: %s", name)
}

func namespaceNotEmpty(name levels) *runtime.Error {
	return runtime.Errorf(http.StatusConflict, "NamespaceNotEmptyException", "Namespace is not empty: %s", name)
}

func noSuchWarehouse(name string) *runtime.Error {
	return runtime.Errorf(http.StatusNotFound, "NoSuchWarehouseException", "Warehouse does not exist: %s", name)
}

func badRequest(format string, args ...any) *runtime.Error {
	return runtime.Errorf(http.StatusBadRequest, "", format, args...)
}
