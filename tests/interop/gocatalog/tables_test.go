//go:build interop

package gocatalog_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"
)

func TestAppendOverwriteDelete(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ident := in(newNamespace(t, c), "t")
	tbl := newTable(t, c, ident)
	tbl, err := tbl.AppendTable(t.Context(), rows(t, 1, 2, 3), 1024, iceberg.Properties{"by": "interop"})
	if err != nil {
		t.Fatal(err)
	}
	if tbl, err = tbl.AppendTable(t.Context(), rows(t, 4), 1024, nil); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, load(t, c, ident), 1, 2, 3, 4)
	first := tbl.Metadata().Snapshots()[0]
	if got := first.Summary.Properties["by"]; got != "interop" {
		t.Errorf("the snapshot's summary says by %q", got)
	}
	if got := ids(t, tbl, table.WithSnapshotID(first.SnapshotID)); !slices.Equal(got, []int64{1, 2, 3}) {
		t.Errorf("the first snapshot holds %v", got)
	}
	if tbl, err = tbl.Delete(t.Context(), iceberg.EqualTo(iceberg.Reference("id"), int64(2)), nil); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, load(t, c, ident), 1, 3, 4)
	if _, err = tbl.OverwriteTable(t.Context(), rows(t, 9), 1024, nil); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, load(t, c, ident), 9)
}

func TestSchemaEvolution(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ident := in(newNamespace(t, c), "t")
	tbl := newTable(t, c, ident)
	tbl, err := tbl.AppendTable(t.Context(), rows(t, 1), 1024, nil)
	if err != nil {
		t.Fatal(err)
	}
	tx := tbl.NewTransaction()
	if err := tx.UpdateSchema(true, false).AddColumn([]string{"age"}, iceberg.PrimitiveTypes.Int32, "in years", false, nil).
		RenameColumn([]string{"name"}, "called").Commit(); err != nil {
		t.Fatal(err)
	}
	if err := tx.SetProperties(iceberg.Properties{"owner": "Ada"}); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	reloaded := load(t, c, ident)
	var names []string
	for _, field := range reloaded.Schema().Fields() {
		names = append(names, field.Name)
	}
	if !slices.Equal(names, []string{"id", "called", "age"}) {
		t.Errorf("the columns are %v", names)
	}
	if len(reloaded.Schemas()) != 2 || reloaded.Properties()["owner"] != "Ada" {
		t.Errorf("%d schemas and the properties %v", len(reloaded.Schemas()), reloaded.Properties())
	}
	wantIDs(t, reloaded, 1)
}

func TestRenameRegisterPurge(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ns, other := newNamespace(t, c), newNamespace(t, c)
	tbl := newTable(t, c, in(ns, "t"))
	tbl, err := tbl.AppendTable(t.Context(), rows(t, 1, 2), 1024, nil)
	if err != nil {
		t.Fatal(err)
	}
	renamed, err := c.RenameTable(t.Context(), in(ns, "t"), in(other, "u"))
	if err != nil {
		t.Fatal(err)
	}
	if renamed.Metadata().TableUUID() != tbl.Metadata().TableUUID() || renamed.MetadataLocation() != tbl.MetadataLocation() {
		t.Errorf("the renamed table is %s at %s", renamed.Metadata().TableUUID(), renamed.MetadataLocation())
	}
	if _, err := c.LoadTable(t.Context(), in(ns, "t")); !errors.Is(err, catalog.ErrNoSuchTable) {
		t.Errorf("the old name: %v", err)
	}
	if err := c.DropTable(t.Context(), in(other, "u")); err != nil {
		t.Fatal(err)
	}
	again, err := c.RegisterTable(t.Context(), in(ns, "again"), tbl.MetadataLocation())
	if err != nil {
		t.Fatal(err)
	}
	wantIDs(t, again, 1, 2)
	if err := c.PurgeTable(t.Context(), in(ns, "again")); err != nil {
		t.Fatal(err)
	}
	if exists, err := c.CheckTableExists(t.Context(), in(ns, "again")); err != nil || exists {
		t.Errorf("after the purge: exists %v, %v", exists, err)
	}
}

func TestStagedCreate(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ident := in(newNamespace(t, c), "t")
	update := table.NewSetPropertiesUpdate(iceberg.Properties{"owner": "Ada"})
	tbl := newTable(t, c, ident, catalog.WithStagedUpdates(update))
	if got := load(t, c, ident); got.Properties()["owner"] != "Ada" || got.MetadataLocation() != tbl.MetadataLocation() {
		t.Errorf("the properties are %v, the location %s", got.Properties(), got.MetadataLocation())
	}
}

// TestTransaction commits to two tables at once, and then tries it on a stale
// one: neither may change.
func TestTransaction(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ns := newNamespace(t, c)
	one, two := newTable(t, c, in(ns, "one")), newTable(t, c, in(ns, "two"))
	if err := appendToBoth(t, c, one, two, 1); err != nil {
		t.Fatal(err)
	}
	wantIDs(t, load(t, c, in(ns, "one")), 1)
	wantIDs(t, load(t, c, in(ns, "two")), 1)

	fresh := load(t, c, in(ns, "one"))
	if err := appendToBoth(t, c, fresh, two, 2); err == nil {
		t.Error("a transaction on a stale table was applied")
	}
	wantIDs(t, load(t, c, in(ns, "one")), 1)
	wantIDs(t, load(t, c, in(ns, "two")), 1)
}

func appendToBoth(t *testing.T, c *rest.Catalog, one, two *table.Table, id int) error {
	t.Helper()
	multi, err := catalog.NewMultiTableTransaction(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, tbl := range []*table.Table{one, two} {
		tx := tbl.NewTransaction()
		if err := tx.AppendTable(t.Context(), rows(t, id), 1024, nil); err != nil {
			t.Fatal(err)
		}
		if err := multi.AddTransaction(tx); err != nil {
			t.Fatal(err)
		}
	}
	return multi.Commit(t.Context())
}

// TestConcurrentAppends lets writers race; whoever loses comes back.
func TestConcurrentAppends(t *testing.T) {
	t.Parallel()
	const writers, appends = 4, 3
	c := connect(t)
	ident := in(newNamespace(t, c), "t")
	newTable(t, c, ident)
	var wg sync.WaitGroup
	for writer := range writers {
		tbl := load(t, c, ident)
		wg.Go(func() {
			for n := range appends {
				if !appendOne(t, tbl, writer*appends+n) {
					return
				}
			}
		})
	}
	wg.Wait()
	var want []int64
	for id := range int64(writers * appends) {
		want = append(want, id)
	}
	tbl := load(t, c, ident)
	wantIDs(t, tbl, want...)
	if got := len(tbl.Metadata().Snapshots()); got != writers*appends {
		t.Errorf("%d snapshots for %d appends", got, writers*appends)
	}
}

// appendOne appends a row, refreshing the table as often as it loses a race.
func appendOne(t *testing.T, tbl *table.Table, id int) bool {
	var err error
	for range 50 {
		if _, err = tbl.AppendTable(t.Context(), rows(t, id), 1024, nil); err == nil {
			return true
		}
		if !errors.Is(err, table.ErrCommitFailed) {
			break
		}
		if err = tbl.Refresh(t.Context()); err != nil {
			break
		}
	}
	t.Errorf("row %d: %v", id, err)
	return false
}
