package planning

import (
	"fmt"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// pinned is a table as of a scan: its snapshot and schema are the current ones. iceberg-go would otherwise choose the
// schema itself, which the document leaves to the client, and take a snapshot with the id 0 for none.
type pinned struct {
	table.Metadata
	snapshot *table.Snapshot
	schema   *iceberg.Schema
}

// CurrentSnapshot implements table.Metadata.
func (p *pinned) CurrentSnapshot() *table.Snapshot { return p.snapshot }

// CurrentSchema implements table.Metadata.
func (p *pinned) CurrentSchema() *iceberg.Schema { return p.schema }

// pin finds the scan's snapshot and schema in the table's metadata of today.
func (s *Scan) pin(metadata table.Metadata) (*pinned, error) {
	if metadata.TableUUID().String() != s.Table {
		return nil, fmt.Errorf("%w: it is of another table", ErrGone)
	}
	view := &pinned{Metadata: metadata, schema: schemaOf(metadata, s.Schema)}
	if view.schema == nil {
		return nil, fmt.Errorf("%w: the table does not have schema %d any more", ErrGone, s.Schema)
	}
	if s.Snapshot == nil {
		return view, nil
	}
	if view.snapshot = metadata.SnapshotByID(*s.Snapshot); view.snapshot == nil {
		return nil, fmt.Errorf("%w: snapshot %d has expired", ErrGone, *s.Snapshot)
	}
	if s.After != nil && !descends(metadata, view.snapshot, *s.After) {
		return nil, fmt.Errorf("%w: a snapshot between %d and %d has expired", ErrGone, *s.After, *s.Snapshot)
	}
	return view, nil
}
