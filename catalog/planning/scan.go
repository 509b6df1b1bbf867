package planning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

// ErrGone is returned when a scan cannot be planned again: it is of another table, its snapshot has expired, or the files
// are not those that a plan task was made for.
var ErrGone = errors.New("the scan cannot be planned any more")

// Scan is a request of which nothing is open. It is a value that can be kept as JSON.
type Scan struct {
	// Table is the table's UUID.
	Table string `json:"t"`
	// Snapshot is the one to scan, nil for a table that had none.
	Snapshot *int64 `json:"s,omitempty"`
	// After is set for the files that were appended after that snapshot, up to and with Snapshot.
	After *int64 `json:"a,omitempty"`
	// Schema is the one that names are looked up in.
	Schema  int             `json:"c"`
	Filter  json.RawMessage `json:"f,omitempty"`
	AnyCase bool            `json:"i,omitempty"`
	// Stats are the columns whose statistics are wanted.
	Stats []int `json:"m,omitempty"`
	// MinRows is how many rows are enough, 0 for all.
	MinRows int64 `json:"r,omitempty"`
}

// Plan finds the files. The same scan gives the same ones in the same order, whatever was committed since. The error is
// [ErrGone], or a fault: of kind NotFound when a manifest is missing, Unavailable or Denied when storage does not give it,
// and Unsupported for a table that iceberg-go cannot plan, which must then be planned by the client. The files are to
// return faults themselves.
func (s *Scan) Plan(ctx context.Context, metadata table.Metadata, files iceio.IO) (*Plan, error) {
	view, err := s.pin(metadata)
	if err != nil {
		return nil, err
	}
	names, err := newColumns(view.schema, !s.AnyCase)
	if err != nil {
		return nil, err
	}
	chosen, err := parseFilter(s.Filter, names)
	if err != nil {
		return nil, err
	}
	plan := &Plan{scan: s, metadata: metadata, schema: view.schema, filter: chosen}
	if view.snapshot == nil {
		return plan, nil
	}
	found, err := s.find(ctx, view, chosen, files)
	if err != nil {
		return nil, s.explain(err)
	}
	plan.tasks = s.enough(whole(found), chosen)
	return plan, nil
}

// find has iceberg-go plan.
func (s *Scan) find(ctx context.Context, view *pinned, chosen *filter, files iceio.IO) ([]table.FileScanTask, error) {
	files = &vigilant{IO: files, lists: s.lists(view), manifests: map[string]iceberg.ManifestFile{}}
	load := func(context.Context) (iceio.IO, error) { return files, nil }
	t := table.New(nil, view, "", load, nil)
	options := []table.ScanOption{table.WithRowFilter(chosen.files)}
	if s.After != nil {
		return t.NewIncrementalAppendScan(options...).FromSnapshotExclusive(*s.After).PlanFiles(ctx)
	}
	if s.MinRows > 0 && chosen.text == nil {
		options = append(options, table.WithLimit(s.MinRows))
	}
	return t.Scan(options...).PlanFiles(ctx)
}

// whole undoes that iceberg-go splits large files: the document's tasks are whole files, which clients split themselves.
func whole(tasks []table.FileScanTask) []table.FileScanTask {
	kept := tasks[:0]
	for _, task := range tasks {
		if task.Start == 0 {
			kept = append(kept, task)
		}
	}
	return kept
}

// enough cuts off the files behind those that certainly have as many rows as are wanted. A file certainly has its rows
// when nothing deletes or filters any of them.
func (s *Scan) enough(tasks []table.FileScanTask, chosen *filter) []table.FileScanTask {
	if s.MinRows == 0 {
		return tasks
	}
	var rows int64
	for i, task := range tasks {
		_, all := task.Residual.(iceberg.AlwaysTrue)
		deleted := len(task.DeleteFiles) + len(task.EqualityDeleteFiles) + len(task.DeletionVectorFiles)
		if deleted > 0 || chosen.text != nil && !(chosen.exact && all) {
			continue
		}
		if rows += task.File.Count(); rows >= s.MinRows {
			return tasks[:i+1]
		}
	}
	return tasks
}

// explain sorts an error of iceberg-go's into what the client can do about it. What a file holds is not told: it may be
// one that the client must not read.
func (s *Scan) explain(err error) error {
	const unable = "This server cannot plan a scan of snapshot %d, plan it in the client: "
	var known *fault.Error
	if errors.As(err, &known) {
		if cause := known.Unwrap(); cause != nil {
			err = cause // which the text of a fault does not have
		}
		switch known.Kind {
		case fault.Unsupported, fault.Unavailable, fault.Denied:
			return fault.Because(err, known.Kind, "A scan of snapshot %d cannot be planned: %s", *s.Snapshot, known.Message)
		case fault.NotFound:
			return fault.Because(err, known.Kind, "A manifest of snapshot %d does not exist: %s", *s.Snapshot, known.Message)
		default:
			return fault.Because(err, fault.Unsupported, unable+"%s", *s.Snapshot, known.Message)
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("plan a scan of snapshot %d: %w", *s.Snapshot, err)
	}
	for _, reason := range []error{
		iceberg.ErrNotImplemented, iceberg.ErrInvalidArgument, iceberg.ErrInvalidSchema, iceberg.ErrInvalidPartitionSpec,
		iceberg.ErrInvalidTransform, iceberg.ErrType, iceberg.ErrBadCast, iceberg.ErrBadLiteral,
		table.ErrInvalidMetadata, table.ErrInvalidOperation, table.ErrMissingOperation, table.ErrPartitionSpecNotFound,
	} {
		if errors.Is(err, reason) {
			return fault.New(fault.Unsupported, unable+"%w", *s.Snapshot, err)
		}
	}
	return fault.Because(err, fault.Unsupported, unable+"a manifest cannot be decoded", *s.Snapshot)
}
