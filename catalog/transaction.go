package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// change is what a transaction does to one table.
type tableChange struct {
	id     identifier
	commit *tables.Commit
}

// CommitTransaction commits changes to many tables, all or none. Every table is
// held from the beginning, in the order of their names whatever the request's, so
// that two transactions on the same tables wait for one another instead of being
// in each other's way. A table that is there twice is changed twice, in order.
func (c *Catalog) CommitTransaction(ctx context.Context, request generated.CommitTransactionRequestObject) (generated.CommitTransactionResponseObject, error) {
	changes, err := readChanges(ctx, request.Body.TableChanges)
	if err != nil {
		return nil, answerTo(err)
	}
	err = c.write(ctx, func(w *database.Work) error {
		for _, id := range inOrder(changes) {
			if _, err := w.Entry(ctx, id.namespace, id.name, database.Exclusive); err != nil {
				return err
			}
		}
		for _, change := range changes {
			if _, err := c.commit(ctx, w, change.id, change.commit); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return generated.CommitTransaction204Response{}, nil
}

// readChanges reads the whole request before anything is done.
func readChanges(ctx context.Context, given []generated.CommitTableRequest) ([]tableChange, error) {
	if len(given) == 0 {
		return nil, badRequest("Field /table-changes must not be empty")
	}
	texts, err := rawjson.AsArray(rawjson.Member(runtime.RawBody(ctx), "table-changes"))
	if err != nil {
		return nil, badRequest("Field /table-changes must be a list")
	}
	changes := make([]tableChange, len(given))
	for i, one := range given {
		field := fmt.Sprintf("/table-changes/%d", i)
		if one.Identifier == nil {
			return nil, badRequest("Field %s/identifier is missing", field)
		}
		if changes[i].id, err = identifierOf(field+"/identifier", *one.Identifier); err != nil {
			return nil, err
		}
		if changes[i].commit, err = tables.ParseCommit(texts[i]); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// inOrder returns the tables of a transaction, each once, sorted.
func inOrder(changes []tableChange) []identifier {
	ids := make([]identifier, len(changes))
	for i, change := range changes {
		ids[i] = change.id
	}
	compare := func(a, b identifier) int {
		if order := strings.Compare(database.Encode(a.namespace), database.Encode(b.namespace)); order != 0 {
			return order
		}
		return strings.Compare(a.name, b.name)
	}
	slices.SortFunc(ids, compare)
	return slices.CompactFunc(ids, func(a, b identifier) bool { return compare(a, b) == 0 })
}
