package tables

import (
	"fmt"

	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

const (
	// noSnapshot stands for "there is no current snapshot", in older metadata also on disk.
	noSnapshot int64 = -1
	// mainBranch is the ref that the current snapshot belongs to.
	mainBranch = "main"
	// firstPartitionField is the id of the first field of the first partition spec.
	firstPartitionField = 1000
	// newestVersion is the newest format version that this catalog and iceberg-go know.
	newestVersion = 3
)

// state is table metadata while a commit works on it. Members that have no field here are only in the object, which
// hands them on as they are.
type state struct {
	object *rawjson.Object

	version         int
	uuid            string
	location        string
	lastUpdated     int64
	lastSequence    int64
	nextRow         int64
	lastColumn      int
	lastPartition   int
	currentSchema   int
	defaultSpec     int
	defaultOrder    int
	currentSnapshot int64

	schemas, specs, orders          *stored.List[int]
	snapshots, snapshotLog          *stored.List[int64]
	statistics, partitionStatistics *stored.List[int64]
	metadataLog, keys               *stored.List[string]
	properties, refs                *rawjson.Object
	propertiesDirty, refsDirty      bool
	commit                          progress
}

// progress is what a commit has done so far, apart from its effect on the metadata.
type progress struct {
	// now is the time of the commit in milliseconds, never before anything the table has recorded.
	now int64
	// newUUID makes the uuid of a table that must have one and has not.
	newUUID func() string
	// changed says that the metadata is to be written.
	changed bool
	// creating says that the table does not exist yet.
	creating bool
	// lastSchema, lastSpec and lastOrder are what -1 stands for; nil until something was added.
	lastSchema, lastSpec, lastOrder *int
	// added holds the times of the snapshots added.
	added map[int64]int64
	// madeMain holds the snapshots that main was set to, in order.
	madeMain []int64
	// removed says that snapshots were removed.
	removed bool
	// upgraded says that the format version was raised.
	upgraded bool
}

// readState reads stored metadata. The error says which member is missing or malformed.
func readState(text []byte) (*state, error) {
	object, err := rawjson.Split(text)
	if err != nil {
		return nil, err
	}
	r := stored.NewReader(object)
	s := &state{
		object:              object.Clone(),
		version:             r.Int32("format-version"),
		uuid:                stored.ReadOr(r, "table-uuid", rawjson.AsString, ""),
		location:            r.String("location"),
		lastUpdated:         r.Int64("last-updated-ms"),
		lastSequence:        stored.ReadOr(r, "last-sequence-number", rawjson.AsInt64, 0),
		nextRow:             stored.ReadOr(r, "next-row-id", rawjson.AsInt64, 0),
		lastColumn:          r.Int32("last-column-id"),
		currentSnapshot:     stored.ReadOr(r, "current-snapshot-id", rawjson.AsInt64, noSnapshot),
		snapshots:           r.List64("snapshots", "snapshot-id"),
		snapshotLog:         r.List64("snapshot-log", "snapshot-id"),
		statistics:          r.List64("statistics", "snapshot-id"),
		partitionStatistics: r.List64("partition-statistics", "snapshot-id"),
		metadataLog:         stored.ReadList(r, "metadata-log", "metadata-file", rawjson.AsString),
		keys:                stored.ReadList(r, "encryption-keys", "key-id", rawjson.AsString),
		properties:          r.Object("properties"),
		refs:                r.Object("refs"),
	}
	s.readSchemas(r)
	s.readSpecs(r)
	s.readOrders(r)
	s.readMainRef()
	if r.Err() != nil {
		return nil, r.Err()
	}
	return s, nil
}

// readSchemas reads the schemas, which the oldest writers of version 1 kept as one.
func (s *state) readSchemas(r *stored.Reader) {
	s.schemas = r.List32("schemas", "schema-id")
	if r.Has("schemas") || s.version > 1 {
		s.currentSchema = r.Int32("current-schema-id")
		return
	}
	schema := stored.Read(r, "schema", rawjson.Split)
	if schema == nil {
		return
	}
	members := stored.NewReader(schema)
	s.currentSchema = stored.ReadOr(members, "schema-id", rawjson.AsInt32, 0)
	if err := members.Err(); err != nil {
		r.Fail("schema", err)
	}
	schema.Set("schema-id", rawjson.OfInt(s.currentSchema))
	s.schemas.Add(s.currentSchema, schema.Text())
}

// readSpecs reads the partition specs, which the oldest writers of version 1 kept as the fields of one.
func (s *state) readSpecs(r *stored.Reader) {
	s.specs = r.List32("partition-specs", "spec-id")
	if r.Has("partition-specs") || s.version > 1 {
		s.defaultSpec = r.Int32("default-spec-id")
	} else {
		fields := stored.Read(r, "partition-spec", rawjson.AsArray)
		spec := &rawjson.Object{}
		spec.Set("spec-id", rawjson.OfInt(0))
		spec.Set("fields", rawjson.OfList(fields))
		s.specs.Add(0, spec.Text())
	}
	highest := firstPartitionField - 1
	for _, spec := range s.specs.Items {
		last, err := lastPartitionField(spec.Text)
		if err != nil {
			r.Fail("partition-specs", fmt.Errorf("spec %d: %w", spec.ID, err))
		}
		highest = max(highest, last)
	}
	if s.version > 1 {
		s.lastPartition = r.Int32("last-partition-id")
	} else {
		s.lastPartition = stored.ReadOr(r, "last-partition-id", rawjson.AsInt32, highest)
	}
}

// unsorted is the sort order of a table without one.
const unsorted = `{"order-id":0,"fields":[]}`

func (s *state) readOrders(r *stored.Reader) {
	s.orders = r.List32("sort-orders", "order-id")
	if r.Has("sort-orders") || s.version > 1 {
		s.defaultOrder = r.Int32("default-sort-order-id")
		return
	}
	s.orders.Add(0, rawjson.Value(unsorted))
}

// readMainRef gives the current snapshot its ref, which older writers left out.
func (s *state) readMainRef() {
	if s.currentSnapshot == noSnapshot || s.refs.Has(mainBranch) {
		return
	}
	s.refs.Set(mainBranch, branchTo(s.currentSnapshot))
	s.refsDirty = true
}

func branchTo(snapshot int64) rawjson.Value {
	ref := &rawjson.Object{}
	ref.Set("snapshot-id", rawjson.OfInt(snapshot))
	ref.Set("type", rawjson.OfString("branch"))
	return ref.Text()
}

// schema returns the text of the current schema, or nil when there is none yet.
func (s *state) schema() rawjson.Value { return s.schemas.Find(s.currentSchema) }
