package database_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/uptrace/bun"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/store/sqlstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testdb.Main(m)) }

// dsns give a fresh database of each kind.
var dsns = map[string]func(*testing.T) string{
	"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") },
	"postgres": func(t *testing.T) string { return testdb.Postgres(t).Database(t) },
	"mariadb":  func(t *testing.T) string { return testdb.MariaDB(t).Database(t) },
}

func open(t *testing.T, dsn string) *bun.DB {
	t.Helper()
	db, err := sqlstore.OpenDB(t.Context(), dsn, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// everywhere runs a test on a migrated database of each kind.
func everywhere(t *testing.T, test func(t *testing.T, d *database.DB)) {
	t.Parallel()
	for name, dsn := range dsns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, dsn(t))
			if err := database.Migrate(t.Context(), db); err != nil {
				t.Fatal(err)
			}
			d, err := database.New(database.Config{DB: db})
			if err != nil {
				t.Fatal(err)
			}
			test(t, d)
		})
	}
}

func write(t *testing.T, d *database.DB, do func(ctx context.Context, w *database.Work) error) {
	t.Helper()
	if err := d.Write(t.Context(), func(w *database.Work) error { return do(t.Context(), w) }); err != nil {
		t.Fatal(err)
	}
}

// Any number of nodes may migrate at once, again and again.
func TestMigrate(t *testing.T) {
	t.Parallel()
	for name, dsn := range dsns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := dsn(t)
			first := open(t, at)
			if err := database.Current(t.Context(), first); !errors.Is(err, database.ErrNotMigrated) {
				t.Fatalf("before: %v", err)
			}
			failures := make(chan error, 4)
			for range cap(failures) {
				db := open(t, at)
				go func() { failures <- database.Migrate(t.Context(), db) }()
			}
			for range cap(failures) {
				if err := <-failures; err != nil {
					t.Error(err)
				}
			}
			if err := database.Current(t.Context(), first); err != nil {
				t.Errorf("after: %v", err)
			}
		})
	}
}

// The printed script does what Migrate does.
func TestPrintedMigrations(t *testing.T) {
	t.Parallel()
	for name, dsn := range dsns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, dsn(t))
			var script strings.Builder
			if err := database.PrintMigrations(&script, strings.Replace(name, "mariadb", "mysql", 1)); err != nil {
				t.Fatal(err)
			}
			for statement := range strings.SplitSeq(script.String(), ";\n") {
				if strings.TrimSpace(statement) == "" {
					continue
				}
				if _, err := db.ExecContext(t.Context(), statement); err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
			}
			if err := database.Current(t.Context(), db); err != nil {
				t.Error(err)
			}
		})
	}
	if err := database.PrintMigrations(new(strings.Builder), "oracle"); err == nil {
		t.Error("there are migrations for oracle")
	}
}

// Names are told apart by case, accents and trailing spaces, and are listed by
// their bytes, on every database.
func TestNamesAreBytes(t *testing.T) {
	everywhere(t, func(t *testing.T, d *database.DB) {
		names := []string{"a", "A", "a ", "ä", "a\u0308", "a\\b", "a'b", "a%", "a_", "😀", "ß", "ss", "?", "?0", "a\tb"}
		slices.Sort(names)
		write(t, d, func(ctx context.Context, w *database.Work) error {
			for _, name := range names {
				if created, err := w.CreateNamespace(ctx, []string{name}, map[string]string{"is": name}); err != nil || !created {
					return fmt.Errorf("%q: %v, %w", name, created, err)
				}
				if created, err := w.CreateNamespace(ctx, []string{name}, nil); err != nil || created {
					return fmt.Errorf("%q again: %v, %w", name, created, err)
				}
			}
			return nil
		})
		got, err := d.Read(t.Context()).Descendants(t.Context(), nil, "")
		if err != nil || !cmp.Equal(got, names) {
			t.Errorf("%q, %v", got, err)
		}
		for _, name := range names {
			n, err := d.Read(t.Context()).Namespace(t.Context(), []string{name}, database.Unlocked)
			if err != nil || n == nil || n.Properties["is"] != name {
				t.Fatalf("%q: %+v, %v", name, n, err)
			}
		}
		write(t, d, func(ctx context.Context, w *database.Work) error {
			n, err := w.Namespace(ctx, []string{"a"}, database.Shared)
			if err != nil {
				return err
			}
			for _, name := range names {
				e := &database.Entry{NamespaceID: n.ID, Name: name, Kind: database.Table, MetadataLocation: "file:/" + name, UUID: name}
				if inserted, err := w.Insert(ctx, e); err != nil || !inserted {
					return fmt.Errorf("%q: %v, %w", name, inserted, err)
				}
				e.Kind = database.View
				if inserted, err := w.Insert(ctx, e); err != nil || inserted {
					return fmt.Errorf("a view beside the table %q: %v, %w", name, inserted, err)
				}
				found, err := w.Entry(ctx, []string{"a"}, name, database.Exclusive)
				if err != nil || found == nil || found.Name != name || found.MetadataLocation != "file:/"+name {
					return fmt.Errorf("%q: %+v, %w", name, found, err)
				}
			}
			got, err := w.EntryNames(ctx, n, database.Table, "", 0)
			if err != nil || !cmp.Equal(got, names) {
				return fmt.Errorf("%q, %w", got, err)
			}
			return nil
		})
	})
}

// A unit that fails leaves nothing behind and undoes what it did elsewhere, what
// was registered last first.
func TestFailedWorkIsUndone(t *testing.T) {
	everywhere(t, func(t *testing.T, d *database.DB) {
		var undone []int
		failure := errors.New("failure")
		err := d.Write(t.Context(), func(w *database.Work) error {
			w.OnRollback(func() { undone = append(undone, 1) })
			w.OnRollback(func() { undone = append(undone, 2) })
			if _, err := w.CreateNamespace(t.Context(), []string{"a"}, nil); err != nil {
				return err
			}
			if err := w.Schedule(t.Context(), database.DeleteFile, "file:/x", time.Now()); err != nil {
				return err
			}
			return failure
		})
		if !errors.Is(err, failure) || !cmp.Equal(undone, []int{2, 1}) {
			t.Errorf("%v, undone %v", err, undone)
		}
		if n, err := d.Read(t.Context()).Namespace(t.Context(), []string{"a"}, database.Unlocked); err != nil || n != nil {
			t.Errorf("%+v, %v", n, err)
		}
		if due, err := d.Take(t.Context(), 10, time.Now().Add(time.Hour), time.Minute); err != nil || len(due) > 0 {
			t.Errorf("%d deletions, %v", len(due), err)
		}
	})
}

// Of those who move one pointer at once, one wins.
func TestSwapIsComparedFirst(t *testing.T) {
	everywhere(t, func(t *testing.T, d *database.DB) {
		e := &database.Entry{Name: "t", Kind: database.Table, MetadataLocation: "0", UUID: "u"}
		write(t, d, func(ctx context.Context, w *database.Work) error {
			if _, err := w.CreateNamespace(ctx, []string{"a"}, nil); err != nil {
				return err
			}
			n, err := w.Namespace(ctx, []string{"a"}, database.Shared)
			if err != nil {
				return err
			}
			e.NamespaceID = n.ID
			_, err = w.Insert(ctx, e)
			return err
		})
		var wg sync.WaitGroup
		won := make(chan bool, 8)
		for i := range cap(won) {
			wg.Go(func() {
				err := d.Write(t.Context(), func(w *database.Work) error {
					swapped, err := w.Swap(t.Context(), e, fmt.Sprint(i+1), "u")
					won <- swapped && err == nil
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		close(won)
		winners := 0
		for w := range won {
			if w {
				winners++
			}
		}
		now, err := d.Read(t.Context()).EntryByID(t.Context(), e.ID)
		if winners != 1 || err != nil || now.Version != 2 || now.MetadataLocation == "0" {
			t.Errorf("%d winners, %+v, %v", winners, now, err)
		}
	})
}

// A deletion is taken by one node at a time, and again when its lease has ended.
func TestDeletionsAreLeased(t *testing.T) {
	everywhere(t, func(t *testing.T, d *database.DB) {
		ctx, now := t.Context(), time.UnixMilli(1_000_000)
		write(t, d, func(ctx context.Context, w *database.Work) error {
			return w.Schedule(ctx, database.DeleteTable, "file:/x", now)
		})
		select {
		case <-d.Scheduled():
		case <-time.After(time.Minute):
			t.Error("nobody was told")
		}
		first, err := d.Take(ctx, 10, now, time.Minute)
		if err != nil || len(first) != 1 || first[0].Location != "file:/x" || first[0].What != database.DeleteTable {
			t.Fatalf("%+v, %v", first, err)
		}
		if second, err := d.Take(ctx, 10, now.Add(time.Minute-time.Millisecond), time.Minute); err != nil || len(second) != 0 {
			t.Errorf("taken twice: %+v, %v", second, err)
		}
		second, err := d.Take(ctx, 10, now.Add(time.Minute), time.Minute)
		if err != nil || len(second) != 1 || second[0].Attempts != 2 {
			t.Fatalf("%+v, %v", second, err)
		}
		if err := d.PutOff(ctx, second[0], now.Add(time.Hour)); err != nil {
			t.Error(err)
		}
		if third, err := d.Take(ctx, 10, now.Add(time.Hour), time.Minute); err != nil || len(third) != 1 {
			t.Errorf("%+v, %v", third, err)
		}
		if err := d.Done(ctx, second[0]); err != nil {
			t.Error(err)
		}
		if rest, err := d.Take(ctx, 10, now.Add(24*time.Hour), time.Minute); err != nil || len(rest) != 0 {
			t.Errorf("%+v, %v", rest, err)
		}
	})
}
