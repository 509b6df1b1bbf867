package database_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/onceberg/onceberg/catalog/database"
)

// A unit whose context ends before its commit is undone, and the error says that
// it was the context's end: what the database says then sounds like a failure.
func TestEndedBeforeTheCommit(t *testing.T) {
	everywhere(t, func(t *testing.T, d *database.DB) {
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		undone := 0
		err := d.Write(ctx, func(w *database.Work) error {
			w.OnRollback(func() { undone++ })
			_, err := w.CreateNamespace(ctx, []string{"a"}, nil)
			hangUp()
			// The rollback that database/sql makes by itself mostly comes first then.
			select {
			case <-time.After(20 * time.Millisecond):
			case <-t.Context().Done():
			}
			return err
		})
		if !errors.Is(err, context.Canceled) || undone != 1 {
			t.Errorf("%v, undone %d times", err, undone)
		}
		if n, err := d.Read(t.Context()).Namespace(t.Context(), []string{"a"}, database.Unlocked); err != nil || n != nil {
			t.Errorf("%+v, %v", n, err)
		}
	})
}
