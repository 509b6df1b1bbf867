//go:build interop

package gocatalog_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/catalogtest"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
)

// connect opens a client of the server under test.
func connect(t *testing.T, opts ...rest.Option) *rest.Catalog {
	t.Helper()
	url := os.Getenv("ONCEBERG_TEST_URL")
	if url == "" {
		t.Fatal("ONCEBERG_TEST_URL names no server to test")
	}
	warehouse := cmp.Or(os.Getenv("ONCEBERG_TEST_WAREHOUSE"), "warehouse")
	c, err := rest.NewCatalog(t.Context(), "interop", url, append(opts, rest.WithWarehouseLocation(warehouse))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// TestCatalog is iceberg-go's own suite.
func TestCatalog(t *testing.T) {
	catalogtest.RunCatalogTests(t, catalogtest.Config{
		SupportsNamespaceProperties: true,
		NewCatalog:                  func(t *testing.T) catalog.Catalog { return connect(t) },
	})
}

// newNamespace creates a namespace that no other test has.
func newNamespace(t *testing.T, c *rest.Catalog) table.Identifier {
	t.Helper()
	ns := table.Identifier{"go_" + strings.ReplaceAll(uuid.NewString(), "-", "")}
	if err := c.CreateNamespace(t.Context(), ns, nil); err != nil {
		t.Fatal(err)
	}
	return ns
}

func in(ns table.Identifier, name string) table.Identifier { return append(slices.Clone(ns), name) }

var (
	people = iceberg.NewSchema(0,
		iceberg.NestedField{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64, Required: true},
		iceberg.NestedField{ID: 2, Name: "name", Type: iceberg.PrimitiveTypes.String})
	peopleArrow = arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
	}, nil)
)

func newTable(t *testing.T, c *rest.Catalog, ident table.Identifier, opts ...catalog.CreateTableOpt) *table.Table {
	t.Helper()
	tbl, err := c.CreateTable(t.Context(), ident, people, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return tbl
}

// rows makes one row for each id.
func rows(t *testing.T, ids ...int) arrow.Table {
	t.Helper()
	lines := make([]string, len(ids))
	for i, id := range ids {
		lines[i] = fmt.Sprintf(`{"id": %d, "name": "row %d"}`, id, id)
	}
	tbl, err := array.TableFromJSON(memory.DefaultAllocator, peopleArrow, []string{"[" + strings.Join(lines, ",") + "]"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tbl.Release)
	return tbl
}

func load(t *testing.T, c *rest.Catalog, ident table.Identifier) *table.Table {
	t.Helper()
	tbl, err := c.LoadTable(t.Context(), ident)
	if err != nil {
		t.Fatal(err)
	}
	return tbl
}

// ids reads a table's rows and returns their ids in order.
func ids(t *testing.T, tbl *table.Table, opts ...table.ScanOption) []int64 {
	t.Helper()
	read, err := tbl.Scan(opts...).ToArrowTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer read.Release()
	var found []int64
	for _, chunk := range read.Column(0).Data().Chunks() {
		found = append(found, chunk.(*array.Int64).Int64Values()...)
	}
	slices.Sort(found)
	return found
}

func wantIDs(t *testing.T, tbl *table.Table, want ...int64) {
	t.Helper()
	if got := ids(t, tbl); !slices.Equal(got, want) {
		t.Errorf("the table holds the rows %v, want %v", got, want)
	}
}
