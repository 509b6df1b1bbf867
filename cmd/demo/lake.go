package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"
)

const namespace = "demo"

var (
	people = iceberg.NewSchema(0,
		iceberg.NestedField{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64, Required: true},
		iceberg.NestedField{ID: 2, Name: "name", Type: iceberg.PrimitiveTypes.String, Required: true})
	peopleInMemory = arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "name", Type: arrow.BinaryTypes.String},
	}, nil)
)

const (
	rows     = `[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Grace"}, {"id": 3, "name": "Edsger"}]`
	rowsRead = "1 Ada, 2 Grace, 3 Edsger"
)

// lake is a catalog as iceberg-go sees it.
type lake struct{ *rest.Catalog }

// open connects iceberg-go to a server; the transport is its one option.
func open(ctx context.Context, url string, transport http.RoundTripper) (lake, error) {
	c, err := rest.NewCatalog(ctx, "demo", url, rest.WithCustomTransport(transport))
	if err != nil {
		return lake{}, fmt.Errorf("connecting iceberg-go: %w", err)
	}
	return lake{c}, nil
}

// append adds the rows to a table, by one commit.
func (l lake) append(ctx context.Context, tbl *table.Table) error {
	data, err := array.TableFromJSON(memory.DefaultAllocator, peopleInMemory, []string{rows})
	if err != nil {
		return fmt.Errorf("making rows: %w", err)
	}
	defer data.Release()
	_, err = tbl.AppendTable(ctx, data, data.NumRows(), nil)
	return err
}

// content loads a table anew and returns how many snapshots it has, and its rows.
func (l lake) content(ctx context.Context, name string) (snapshots int, rows string, err error) {
	tbl, err := l.LoadTable(ctx, table.Identifier{namespace, name})
	if err != nil {
		return 0, "", fmt.Errorf("loading the table: %w", err)
	}
	data, err := tbl.Scan().ToArrowTable(ctx)
	if err != nil {
		return 0, "", fmt.Errorf("reading the rows: %w", err)
	}
	defer data.Release()
	var read []string
	batches := array.NewTableReader(data, 0)
	defer batches.Release()
	for batches.Next() {
		batch := batches.RecordBatch()
		ids, ok := batch.Column(0).(*array.Int64)
		names, also := batch.Column(1).(*array.String)
		if !ok || !also {
			return 0, "", errors.New("the columns are of other types than those written")
		}
		for i := range int(batch.NumRows()) {
			read = append(read, fmt.Sprintf("%d %s", ids.Value(i), names.Value(i)))
		}
	}
	return len(tbl.Metadata().Snapshots()), strings.Join(read, ", "), batches.Err()
}
