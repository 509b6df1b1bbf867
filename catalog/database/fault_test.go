package database_test

import (
	"errors"
	"testing"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/internal/testdb"
)

// A commit whose answer is lost may have been applied, so that nothing is
// undone; one that could not be begun certainly was not.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]*testdb.Server{"postgres": testdb.Postgres(t), "mariadb": testdb.MariaDB(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := server.Database(t)
			if err := database.Migrate(t.Context(), open(t, dsn)); err != nil {
				t.Fatal(err)
			}
			proxy, through := server.Proxy(t, dsn)
			d, err := database.New(database.Config{DB: open(t, through)})
			if err != nil {
				t.Fatal(err)
			}
			undone := 0
			create := func(level string) error {
				return d.Write(t.Context(), func(w *database.Work) error {
					w.OnRollback(func() { undone++ })
					_, err := w.CreateNamespace(t.Context(), []string{level}, nil)
					return err
				})
			}
			lost := proxy.LoseAnswer("COMMIT")
			if err := create("a"); !errors.Is(err, database.ErrUnknownOutcome) || undone != 0 {
				t.Errorf("%v, undone %d times", err, undone)
			}
			<-lost
			if n, err := d.Read(t.Context()).Namespace(t.Context(), []string{"a"}, database.Unlocked); err != nil || n == nil {
				t.Errorf("%+v, %v", n, err)
			}
			proxy.Cut()
			if err := create("b"); !errors.Is(err, database.ErrUnreachable) || undone != 0 {
				t.Errorf("%v, undone %d times", err, undone)
			}
			if _, err := d.Read(t.Context()).Namespace(t.Context(), []string{"a"}, database.Unlocked); !errors.Is(err, database.ErrUnreachable) {
				t.Errorf("reading: %v", err)
			}
			proxy.Restore()
			err = d.Write(t.Context(), func(w *database.Work) error {
				w.OnRollback(func() { undone++ })
				proxy.Cut()
				_, err := w.CreateNamespace(t.Context(), []string{"b"}, nil)
				return err
			})
			if !errors.Is(err, database.ErrUnreachable) || undone != 1 {
				t.Errorf("cut off before the commit: %v, undone %d times", err, undone)
			}
			proxy.Restore()
			if err := create("b"); err != nil {
				t.Error(err)
			}
		})
	}
}
