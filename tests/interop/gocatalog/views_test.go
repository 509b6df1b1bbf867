//go:build interop

package gocatalog_test

import (
	"errors"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"
	"github.com/apache/iceberg-go/view"
)

func newView(t *testing.T, c *rest.Catalog, ident table.Identifier) *view.View {
	t.Helper()
	v, err := c.CreateView(t.Context(), ident, version(t, 1, ident, "select 1 id"), people,
		// The metadata of a dropped view is kept, so that it can be registered again.
		catalog.WithViewProperties(iceberg.Properties{"owner": "Ada", "gc.enabled": "false"}))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func version(t *testing.T, id int64, ident table.Identifier, sql string) *view.Version {
	t.Helper()
	v, err := view.NewVersion(id, 0, view.Representations{view.NewRepresentation(sql, "spark")}, ident[:1])
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func wantSQL(t *testing.T, v *view.View, want string) {
	t.Helper()
	if got := v.CurrentVersion().Representations[0].Sql; got != want {
		t.Errorf("the view says %q, want %q", got, want)
	}
}

func TestViews(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ns := newNamespace(t, c)
	created := newView(t, c, in(ns, "v"))
	loaded, err := c.LoadView(t.Context(), in(ns, "v"))
	if err != nil {
		t.Fatal(err)
	}
	wantSQL(t, loaded, "select 1 id")
	if loaded.Properties()["owner"] != "Ada" || loaded.MetadataLocation() != created.MetadataLocation() {
		t.Errorf("the properties are %v, the location %s", loaded.Properties(), loaded.MetadataLocation())
	}
	replaced := replaceView(t, c, loaded)
	wantSQL(t, replaced, "select 2 id")
	if len(replaced.Versions()) != 2 {
		t.Errorf("%d versions", len(replaced.Versions()))
	}
	renamed, err := c.RenameView(t.Context(), in(ns, "v"), in(ns, "w"))
	if err != nil {
		t.Fatal(err)
	}
	if renamed.MetadataLocation() != replaced.MetadataLocation() {
		t.Errorf("the renamed view lies at %s", renamed.MetadataLocation())
	}
	if err := c.DropView(t.Context(), in(ns, "w")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.LoadView(t.Context(), in(ns, "w")); !errors.Is(err, catalog.ErrNoSuchView) {
		t.Errorf("the dropped view: %v", err)
	}
	again, err := c.RegisterView(t.Context(), in(ns, "again"), replaced.MetadataLocation())
	if err != nil {
		t.Fatal(err)
	}
	wantSQL(t, again, "select 2 id")
}

func replaceView(t *testing.T, c *rest.Catalog, v *view.View) *view.View {
	t.Helper()
	replaced, err := c.UpdateView(t.Context(), v.Identifier(),
		[]view.Requirement{view.AssertViewUUID(v.Metadata().ViewUUID())},
		[]view.Update{
			view.NewAddViewVersionUpdate(version(t, 2, v.Identifier(), "select 2 id")),
			view.NewSetCurrentVersionUpdate(-1),
		})
	if err != nil {
		t.Fatal(err)
	}
	return replaced
}

// TestNamesOfViewsAndTables holds that they share one space of names.
func TestNamesOfViewsAndTables(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ns := newNamespace(t, c)
	newView(t, c, in(ns, "v"))
	newTable(t, c, in(ns, "t"))
	if _, err := c.CreateTable(t.Context(), in(ns, "v"), people); !errors.Is(err, catalog.ErrTableAlreadyExists) {
		t.Errorf("a table in a view's place: %v", err)
	}
	if _, err := c.CreateView(t.Context(), in(ns, "t"), version(t, 1, in(ns, "t"), "select 1"), people); !errors.Is(err, catalog.ErrViewAlreadyExists) {
		t.Errorf("a view in a table's place: %v", err)
	}
	if exists, err := c.CheckViewExists(t.Context(), in(ns, "t")); err != nil || exists {
		t.Errorf("the table as a view: %v, %v", exists, err)
	}
	if exists, err := c.CheckTableExists(t.Context(), in(ns, "v")); err != nil || exists {
		t.Errorf("the view as a table: %v, %v", exists, err)
	}
}
