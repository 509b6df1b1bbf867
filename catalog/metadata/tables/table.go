package tables

import (
	"fmt"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// Table is one version of a table's metadata. It is a value: nothing changes it, and a commit makes a new one.
type Table struct {
	// MetadataLocation is where the metadata file is, or is to be written. It is empty for a staged table, which has no
	// file yet.
	MetadataLocation string
	// Metadata is the JSON text: what the file holds (before any compression) and what is served, byte for byte.
	Metadata []byte
}

// Header is what a catalog needs to know of a table's metadata without reading all of it.
type Header struct {
	FormatVersion int
	// UUID is as written; the empty string for a table of version 1 that never got one.
	UUID string
	// Location is the table's base location, byte for byte as its creator gave it.
	Location string
	// LastUpdated is in milliseconds since 1970.
	LastUpdated int64
	// CurrentSnapshot is nil for a table without data on its main branch.
	CurrentSnapshot *int64
	Properties      map[string]string
}

// Register takes over a metadata file that exists, with its whole history, as a table. The text is served as it is and
// no new file is written. It returns a fault of kind Invalid when the text is not table metadata that this catalog can
// read.
func Register(metadataLocation string, metadata []byte) (*Table, error) {
	if err := rawjson.Check(metadata); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid table metadata in %s: %w", metadataLocation, err)
	}
	if _, err := table.ParseMetadataBytes(metadata); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid table metadata in %s: %w", metadataLocation, err)
	}
	if _, err := readState(metadata); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid table metadata in %s: %w", metadataLocation, err)
	}
	return &Table{MetadataLocation: metadataLocation, Metadata: metadata}, nil
}

// Header reads the table's head facts. The error says which member is malformed.
func (t *Table) Header() (*Header, error) {
	metadata, err := rawjson.Split(t.Metadata)
	if err != nil {
		return nil, fmt.Errorf("table metadata %s: %w", t.MetadataLocation, err)
	}
	r := stored.NewReader(metadata)
	header := &Header{
		FormatVersion: r.Int32("format-version"),
		UUID:          stored.ReadOr(r, "table-uuid", rawjson.AsString, ""),
		Location:      r.String("location"),
		LastUpdated:   r.Int64("last-updated-ms"),
		Properties:    properties.Map(r.Object("properties")),
	}
	if current := stored.ReadOr(r, "current-snapshot-id", rawjson.AsInt64, noSnapshot); current != noSnapshot {
		header.CurrentSnapshot = &current
	}
	if r.Err() != nil {
		return nil, fmt.Errorf("table metadata %s: %w", t.MetadataLocation, r.Err())
	}
	return header, nil
}

// Iceberg returns the metadata as iceberg-go reads it, for planning and the like. Snapshots that no ref points to are
// decoded when they are asked for.
func (t *Table) Iceberg() (table.Metadata, error) {
	metadata, err := table.ParseMetadataBytesDeferredSnapshots(t.Metadata)
	if err != nil {
		return nil, fmt.Errorf("table metadata %s: %w", t.MetadataLocation, err)
	}
	return metadata, nil
}
