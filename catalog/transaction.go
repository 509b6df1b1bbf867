package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// CommitTransaction commits changes to many tables, all or none. Every table is
// held from the beginning, in the order of their names whatever the request's, so
// that two transactions on the same tables wait for one another instead of being
// in each other's way. A table that is there twice is changed twice, in order.
func (c *Catalog) CommitTransaction(ctx context.Context, _ generated.CommitTransactionRequestObject) (generated.CommitTransactionResponseObject, error) {
	changes, err := changesIn(runtime.RawBody(ctx))
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
