//go:build interop

package gocatalog_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"
)

// partitioned is a table with partitions, deletes and a snapshot for each step.
func partitioned(t *testing.T) *table.Table {
	t.Helper()
	c := connect(t)
	spec := iceberg.NewPartitionSpec(iceberg.PartitionField{
		SourceIDs: []int{1}, FieldID: 1000, Name: "bucket", Transform: iceberg.BucketTransform{NumBuckets: 3},
	})
	tbl := newTable(t, c, in(newNamespace(t, c), "t"), catalog.WithPartitionSpec(&spec),
		catalog.WithProperties(iceberg.Properties{table.WriteDeleteModeKey: table.WriteModeMergeOnRead}))
	for _, some := range [][]int{{1, 2, 3, 4}, {5, 6}, {7, 8, 9}} {
		var err error
		if tbl, err = tbl.AppendTable(t.Context(), rows(t, some...), 1024, nil); err != nil {
			t.Fatal(err)
		}
	}
	tbl, err := tbl.Delete(t.Context(), iceberg.IsIn(iceberg.Reference("id"), int64(2), int64(8)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return tbl
}

// TestRemotePlansAreTheLocalOnes compares the files, and the deletes for each,
// and the rows that they lead to.
func TestRemotePlansAreTheLocalOnes(t *testing.T) {
	t.Parallel()
	tbl := partitioned(t)
	id, name := iceberg.Reference("id"), iceberg.Reference("name")
	scans := map[string][]table.ScanOption{
		"everything":   nil,
		"equal":        {table.WithRowFilter(iceberg.EqualTo(id, int64(6)))},
		"in":           {table.WithRowFilter(iceberg.IsIn(id, int64(1), int64(9)))},
		"or":           {table.WithRowFilter(iceberg.NewOr(iceberg.LessThan(id, int64(2)), iceberg.EqualTo(name, "row 7")))},
		"not":          {table.WithRowFilter(iceberg.NewNot(iceberg.NewAnd(iceberg.GreaterThan(id, int64(3)), iceberg.NotNull(name))))},
		"nothing":      {table.WithRowFilter(iceberg.IsNull(name))},
		"any case":     {table.WithCaseSensitive(false), table.WithRowFilter(iceberg.EqualTo(iceberg.Reference("ID"), int64(1)))},
		"some columns": {table.WithSelectedFields("id"), table.WithRowFilter(iceberg.GreaterThan(name, "row 3"))},
	}
	for i, snapshot := range tbl.Metadata().Snapshots() {
		scans[fmt.Sprintf("snapshot %d", i)] = []table.ScanOption{table.WithSnapshotID(snapshot.SnapshotID)}
	}
	for what, asked := range scans {
		remote := append(slices.Clone(asked), table.WithScanPlanningMode(table.ScanPlanningRemote))
		here, there := tasks(t, tbl, asked...), tasks(t, tbl, remote...)
		if !slices.Equal(here, there) {
			t.Errorf("%s: the server plans\n%q\nand not\n%q", what, there, here)
		}
		if here, there := ids(t, tbl, asked...), ids(t, tbl, remote...); !slices.Equal(here, there) {
			t.Errorf("%s: the rows by the server's plan are %v and not %v", what, there, here)
		}
	}
}

// tasks are a scan's tasks as text, in an order that does not depend on who
// planned.
func tasks(t *testing.T, tbl *table.Table, asked ...table.ScanOption) []string {
	t.Helper()
	planned, err := tbl.Scan(asked...).PlanFiles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, task := range planned {
		text := fmt.Sprintf("%s %v %d rows of %d bytes from %d to %d", task.File.FilePath(), task.File.Partition(),
			task.File.Count(), task.File.FileSizeBytes(), task.Start, task.Length)
		for _, deletes := range [][]iceberg.DataFile{task.DeleteFiles, task.EqualityDeleteFiles, task.DeletionVectorFiles} {
			for _, d := range deletes {
				text += " without " + d.FilePath()
			}
		}
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}
