package planning

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

// Request is the body of planTableScan.
type Request struct {
	SnapshotID        *int64          `json:"snapshot-id"`
	StartSnapshotID   *int64          `json:"start-snapshot-id"`
	EndSnapshotID     *int64          `json:"end-snapshot-id"`
	Select            []string        `json:"select"`
	Filter            json.RawMessage `json:"filter"`
	CaseSensitive     *bool           `json:"case-sensitive"`
	UseSnapshotSchema bool            `json:"use-snapshot-schema"`
	StatsFields       []string        `json:"stats-fields"`
	MinRowsRequested  *int64          `json:"min-rows-requested"`
}

// ParseRequest reads a request's body; an empty one asks for everything. The error is a fault of kind Invalid.
func ParseRequest(body []byte) (*Request, error) {
	r := new(Request)
	if len(bytes.TrimSpace(body)) > 0 {
		if err := json.Unmarshal(body, r); err != nil {
			return nil, fault.New(fault.Invalid, "Request body does not fit the operation: %w", err)
		}
	}
	return r, r.check()
}

// check looks at what needs no table.
func (r *Request) check() error {
	switch ranged := r.StartSnapshotID != nil || r.EndSnapshotID != nil; {
	case r.SnapshotID != nil && ranged:
		return invalid("snapshot-id", "must not be given together with start-snapshot-id and end-snapshot-id")
	case ranged && r.EndSnapshotID == nil:
		return invalid("end-snapshot-id", "is required with start-snapshot-id")
	case ranged && r.StartSnapshotID == nil:
		return invalid("start-snapshot-id", "is required with end-snapshot-id")
	case string(r.Filter) == "null":
		return invalid("filter", "must not be null")
	case r.MinRowsRequested != nil && *r.MinRowsRequested < 0:
		return invalid("min-rows-requested", "must not be negative")
	}
	return nil
}

// Resolve holds a request against a table. The error is a fault that names the field.
func (r *Request) Resolve(metadata table.Metadata) (*Scan, error) {
	scan := &Scan{Table: metadata.TableUUID().String(), Filter: r.Filter, AnyCase: r.CaseSensitive != nil && !*r.CaseSensitive}
	if r.MinRowsRequested != nil {
		scan.MinRows = *r.MinRowsRequested
	}
	snapshot, err := r.snapshot(metadata)
	if err != nil {
		return nil, err
	}
	schema, err := r.schema(metadata, snapshot)
	if err != nil {
		return nil, err
	}
	scan.Schema = schema.ID
	if snapshot != nil {
		scan.Snapshot = &snapshot.SnapshotID
		scan.After = r.StartSnapshotID
	}
	names, err := newColumns(schema, !scan.AnyCase)
	if err != nil {
		return nil, err
	}
	if scan.Stats, err = r.fields(names); err != nil {
		return nil, err
	}
	_, err = parseFilter(scan.Filter, names)
	return scan, err
}

// snapshot returns the one to scan, or the last of a range; nil for a table that has none yet.
func (r *Request) snapshot(metadata table.Metadata) (*table.Snapshot, error) {
	field, id := "snapshot-id", r.SnapshotID
	if r.EndSnapshotID != nil {
		field, id = "end-snapshot-id", r.EndSnapshotID
	}
	if id == nil {
		return metadata.CurrentSnapshot(), nil
	}
	snapshot := metadata.SnapshotByID(*id)
	if snapshot == nil {
		return nil, invalid(field, "the table has no snapshot %d", *id)
	}
	if start := r.StartSnapshotID; start != nil && !descends(metadata, snapshot, *start) {
		return nil, invalid("start-snapshot-id", "snapshot %d is not an ancestor of snapshot %d", *start, *id)
	}
	return snapshot, nil
}

// descends tells whether a snapshot was made after another, which may have expired as long as its child is known.
func descends(metadata table.Metadata, snapshot *table.Snapshot, ancestor int64) bool {
	if snapshot.SnapshotID == ancestor {
		return false
	}
	_, found := table.AncestorsBetween(snapshot.SnapshotID, ancestor, metadata.SnapshotByID)
	return found
}

func (r *Request) schema(metadata table.Metadata, snapshot *table.Snapshot) (*iceberg.Schema, error) {
	if !r.UseSnapshotSchema || snapshot == nil || snapshot.SchemaID == nil {
		return metadata.CurrentSchema(), nil
	}
	if schema := schemaOf(metadata, *snapshot.SchemaID); schema != nil {
		return schema, nil
	}
	return nil, invalid("use-snapshot-schema", "the table does not have schema %d of snapshot %d any more",
		*snapshot.SchemaID, snapshot.SnapshotID)
}

func schemaOf(metadata table.Metadata, id int) *iceberg.Schema {
	for _, schema := range metadata.Schemas() {
		if schema.ID == id {
			return schema
		}
	}
	return nil
}

// fields checks the selected columns, which do not matter for the plan, and returns the ids of those whose statistics are
// wanted.
func (r *Request) fields(names *columns) ([]int, error) {
	for _, name := range r.Select {
		if _, err := names.find(name); err != nil && !isMetadataColumn(name, names.exact) {
			return nil, invalid("select", "%w", err)
		}
	}
	var ids []int
	for _, name := range r.StatsFields {
		field, err := names.find(name)
		if err != nil {
			return nil, invalid("stats-fields", "%w", err)
		}
		ids = append(ids, field.ID)
	}
	return ids, nil
}

// metadataColumns are in no schema, and readers may select them all the same.
var metadataColumns = []string{
	"_file", "_pos", "_deleted", "_spec_id", "_partition", "_change_type", "_change_ordinal", "_commit_snapshot_id",
	iceberg.RowIDColumnName, iceberg.LastUpdatedSequenceNumberColumnName,
}

func isMetadataColumn(name string, exact bool) bool {
	for _, known := range metadataColumns {
		if name == known || !exact && strings.EqualFold(name, known) {
			return true
		}
	}
	return false
}

// invalid is the fault of one field of the request.
func invalid(field, format string, args ...any) error {
	return fault.New(fault.Invalid, "Field /"+field+": "+format, args...)
}
