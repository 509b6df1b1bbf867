//go:build interop

package gocatalog_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/catalog/rest"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
)

// TestRemotePlanning lets the server find the files of a scan.
func TestRemotePlanning(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ident := in(newNamespace(t, c), "t")
	tbl := newTable(t, c, ident)
	for _, id := range []int{1, 2, 3} {
		var err error
		if tbl, err = tbl.AppendTable(t.Context(), rows(t, id), 1024, nil); err != nil {
			t.Fatal(err)
		}
	}
	remote := table.WithScanPlanningMode(table.ScanPlanningRemote)
	if got := ids(t, tbl, remote); !slices.Equal(got, []int64{1, 2, 3}) {
		t.Errorf("a scan of everything found %v", got)
	}
	filter := table.WithRowFilter(iceberg.GreaterThan(iceberg.Reference("id"), int64(2)))
	tasks, err := tbl.Scan(remote, filter).PlanFiles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 1 {
		t.Errorf("the filter leaves %d files, want 1", len(tasks))
	}
	if got := ids(t, tbl, remote, filter); !slices.Equal(got, []int64{3}) {
		t.Errorf("a filtered scan found %v", got)
	}
}

// TestRemotePlanningWithDeletes reads what deletes leave, by a plan of the server's.
func TestRemotePlanningWithDeletes(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2", "3"} {
		t.Run("v"+version, func(t *testing.T) {
			t.Parallel()
			c := connect(t)
			tbl := newTable(t, c, in(newNamespace(t, c), "t"), catalog.WithProperties(iceberg.Properties{
				"format-version": version, table.WriteDeleteModeKey: table.WriteModeMergeOnRead,
			}))
			tbl, err := tbl.AppendTable(t.Context(), rows(t, 1, 2, 3), 1024, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tbl, err = tbl.Delete(t.Context(), iceberg.EqualTo(iceberg.Reference("id"), int64(2)), nil); err != nil {
				t.Fatal(err)
			}
			if got := ids(t, tbl, table.WithScanPlanningMode(table.ScanPlanningRemote)); !slices.Equal(got, []int64{1, 3}) {
				t.Errorf("a scan found %v", got)
			}
		})
	}
}

// TestRemotePlanningInParts plans more files than one answer has.
func TestRemotePlanningInParts(t *testing.T) {
	t.Parallel()
	c := connect(t)
	tbl := newTable(t, c, in(newNamespace(t, c), "t"))
	files := make([]iceberg.DataFile, 5000)
	for i := range files {
		b, err := iceberg.NewDataFileBuilder(tbl.Spec(), iceberg.EntryContentData,
			fmt.Sprintf("%s/data/%d.parquet", tbl.Location(), i), iceberg.ParquetFile, nil, nil, nil, 1, 100)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = b.Build()
	}
	change := tbl.NewTransaction()
	if err := change.AddDataFiles(t.Context(), files, nil); err != nil {
		t.Fatal(err)
	}
	tbl, err := change.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := tbl.Scan(table.WithScanPlanningMode(table.ScanPlanningRemote)).PlanFiles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, task := range tasks {
		found[task.File.FilePath()] = true
	}
	if len(tasks) != len(files) || len(found) != len(files) {
		t.Errorf("%d tasks for %d files, want %d", len(tasks), len(found), len(files))
	}
}

// TestPlanningTwiceWithOneKey sends a plan again as after a lost answer.
// iceberg-go is the client that sends keys with plans.
func TestPlanningTwiceWithOneKey(t *testing.T) {
	t.Parallel()
	c := connect(t)
	ident := in(newNamespace(t, c), "t")
	if _, err := newTable(t, c, ident).AppendTable(t.Context(), rows(t, 1), 1024, nil); err != nil {
		t.Fatal(err)
	}
	key := uuid.Must(uuid.NewV7()).String()
	var files []string
	for range 2 {
		plan, err := c.PlanTableScan(t.Context(), ident, rest.PlanTableScanRequest{IdempotencyKey: &key})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Status != rest.PlanStatusCompleted || len(plan.FileScanTasks) != 1 {
			t.Fatalf("the plan is %s with %d tasks", plan.Status, len(plan.FileScanTasks))
		}
		files = append(files, plan.FileScanTasks[0].DataFile.FilePath)
	}
	if files[0] != files[1] {
		t.Errorf("the two plans name\n%s\n%s", files[0], files[1])
	}
}
