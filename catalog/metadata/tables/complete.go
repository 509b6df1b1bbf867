package tables

import (
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// defaultVersion is the format version of a new table whose creator did not choose one.
const defaultVersion = 2

// unset stands for an id that a new table does not have yet.
const unset = -1

// emptyState is a table before its first commit has said anything about it.
func emptyState(version int) *state {
	return &state{
		object:              &rawjson.Object{},
		version:             version,
		lastPartition:       firstPartitionField - 1,
		currentSchema:       unset,
		defaultSpec:         unset,
		defaultOrder:        unset,
		currentSnapshot:     noSnapshot,
		schemas:             &stored.List[int]{},
		specs:               &stored.List[int]{},
		orders:              &stored.List[int]{},
		snapshots:           &stored.List[int64]{},
		snapshotLog:         &stored.List[int64]{},
		statistics:          &stored.List[int64]{},
		partitionStatistics: &stored.List[int64]{},
		metadataLog:         &stored.List[string]{},
		keys:                &stored.List[string]{},
		properties:          &rawjson.Object{},
		refs:                &rawjson.Object{},
	}
}

// checkVersion tells whether a new table can have that format version.
func checkVersion(version int) error {
	if version < 1 || version > newestVersion {
		return fault.New(fault.IllegalArgument, "Unsupported format version: v%d (supported: v%d)", version, newestVersion)
	}
	return nil
}

// complete checks at the end of a commit that the table has all it must have. A new table that said nothing of
// partitions or order has none.
func (s *state) complete() error {
	if s.commit.creating {
		if err := s.completeNew(); err != nil {
			return err
		}
	}
	schema, err := s.parsedSchema()
	if err != nil {
		return err
	}
	spec, err := parseSpec(s.specs.Find(s.defaultSpec))
	if err != nil {
		return err
	}
	if err := spec.fit(schema); err != nil {
		return err
	}
	if text := s.orders.Find(s.defaultOrder); text != nil {
		order, err := parseOrder(text)
		if err != nil {
			return err
		}
		if err := order.parsed.CheckCompatibility(schema); err != nil {
			return fault.New(fault.Invalid, "Invalid sort order: %w", err)
		}
	}
	return nil
}

func (s *state) completeNew() error {
	if s.location == "" {
		return fault.New(fault.IllegalArgument, "Invalid location: null")
	}
	if s.uuid == "" {
		s.uuid = s.commit.newUUID()
	}
	if len(s.specs.Items) == 0 {
		s.specs.Add(0, rawjson.Value(`{"spec-id":0,"fields":[]}`))
		s.defaultSpec = 0
	}
	if len(s.orders.Items) == 0 {
		s.orders.Add(0, rawjson.Value(unsorted))
		s.defaultOrder = 0
	}
	switch {
	case s.currentSchema == unset:
		return fault.New(fault.Invalid, "Cannot create a table without a current schema")
	case s.defaultSpec == unset:
		return fault.New(fault.Invalid, "Cannot create a table without a default partition spec")
	case s.defaultOrder == unset:
		return fault.New(fault.Invalid, "Cannot create a table without a default sort order")
	}
	return nil
}

// verify holds the metadata, once it is written to the object, against iceberg-go's reader, which knows more rules than this package and is what many
// clients are built on. Snapshots that this commit did not touch were verified when they came in, so only those that it
// added, and those that refs point to, are shown to it: otherwise the cost of each commit would grow with the table's
// history. A raised format version changes the rules for all of them, so then it sees all.
func (s *state) verify() error {
	shown := s.object.Clone()
	if !s.commit.upgraded {
		named := map[int64]bool{}
		for _, name := range s.refs.Keys() {
			ref, err := s.ref(name)
			if err != nil {
				return err
			}
			if ref != nil {
				named[ref.snapshot] = true
			}
		}
		var texts []rawjson.Value
		for _, snapshot := range s.snapshots.Items {
			if _, added := s.commit.added[snapshot.ID]; added || named[snapshot.ID] {
				texts = append(texts, snapshot.Text)
			}
		}
		shown.Set("snapshots", rawjson.OfList(texts))
	}
	text := shown.Text()
	if _, err := table.ParseMetadataBytes(text); err != nil {
		return fault.New(fault.Invalid, "Invalid table metadata: %w", err)
	}
	// iceberg-go takes ids of 64 bits, of which Java and this package read 32.
	if _, err := readState(text); err != nil {
		return fault.New(fault.Invalid, "Invalid table metadata: %w", err)
	}
	return nil
}
