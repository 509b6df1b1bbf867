package tables

import (
	"strconv"
	"time"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/schemas"
)

// CreateRequest is a createTable request that was read.
type CreateRequest struct {
	commits.Creation
	// Stage says that the table is only to be laid out: a later commit creates it.
	Stage bool

	schema      rawjson.Value
	spec, order rawjson.Value
}

// ParseCreate reads the body of a createTable request. Members that are null count as absent. The error is a fault of
// kind Invalid.
func ParseCreate(body []byte) (*CreateRequest, error) {
	request := &CreateRequest{}
	var err error
	request.Creation, err = commits.ParseCreation("table", body, func(a *commits.Args) {
		request.Stage = a.Bool("stage-create")
		request.schema = a.Value("schema")
		request.spec = a.Object().Get("partition-spec")
		request.order = a.Object().Get("write-order")
	})
	return request, err
}

// Build makes the table at a base location: fresh column ids, a new uuid, no snapshots. A staged table gets no metadata
// location. The error is a fault of kind Invalid or IllegalArgument.
func (r *CreateRequest) Build(location string, now time.Time, newUUID func() string) (*Table, error) {
	version, err := r.version()
	if err != nil {
		return nil, err
	}
	s := emptyState(version)
	s.commit = progress{now: now.UnixMilli(), newUUID: newUUID, creating: true}
	s.location = location
	if err := r.fill(s, now); err != nil {
		return nil, err
	}
	if err := s.complete(); err != nil {
		return nil, err
	}
	s.lastUpdated = s.commit.now
	s.write()
	if err := s.verify(); err != nil {
		return nil, err
	}
	if r.Stage {
		return &Table{Metadata: s.object.Text()}, nil
	}
	file, err := files.NextName(location, s.properties, "", newUUID())
	if err != nil {
		return nil, err
	}
	return &Table{file, s.object.Text()}, nil
}

func (r *CreateRequest) version() (int, error) {
	text := r.Property("format-version")
	if text == "" {
		return defaultVersion, nil
	}
	version, err := strconv.Atoi(text)
	if err != nil {
		return 0, fault.New(fault.IllegalArgument, "Invalid format-version: %s", text)
	}
	return version, checkVersion(version)
}

func (r *CreateRequest) fill(s *state, now time.Time) error {
	numbered, err := schemas.Number(r.schema)
	if err != nil {
		return err
	}
	if err := s.addSchema(numbered.Text); err != nil {
		return err
	}
	s.currentSchema, s.lastColumn = 0, numbered.Last
	if r.spec != nil {
		if err := s.addFirstSpec(r.spec, numbered.IDs); err != nil {
			return err
		}
	}
	if r.order != nil {
		if err := s.addFirstOrder(r.order, numbered.IDs); err != nil {
			return err
		}
	}
	return r.fillProperties(s, now)
}

// addFirstSpec adds the spec of a new table: its sources become the columns' fresh ids, its fields count from 1000.
func (s *state) addFirstSpec(text rawjson.Value, ids map[int]int) error {
	spec, err := parseSpec(text)
	if err != nil {
		return err
	}
	for _, field := range spec.fields {
		if err := renumberSources(field.object, ids); err != nil {
			return fault.New(fault.Invalid, "Cannot find source column for partition field: %s: %w", field.Name, err)
		}
		field.object.Delete("field-id")
		field.id = 0
	}
	if _, err := spec.numberInSequence(); err != nil {
		return err
	}
	if err := s.addSpec(spec.text(0)); err != nil {
		return err
	}
	return s.setDefaultSpec(lastAdded)
}

// addFirstOrder adds the sort order of a new table: its sources become the columns' fresh ids.
func (s *state) addFirstOrder(text rawjson.Value, ids map[int]int) error {
	order, err := parseOrder(text)
	if err != nil {
		return err
	}
	fields, err := rawjson.AsArrayOf(order.object.Get("fields"), func(text rawjson.Value) (rawjson.Value, error) {
		field, err := rawjson.Split(text)
		if err != nil {
			return nil, err
		}
		if err := renumberSources(field, ids); err != nil {
			return nil, err
		}
		return field.Text(), nil
	})
	if err != nil {
		return fault.New(fault.Invalid, "Cannot find source column for sort field: %w", err)
	}
	order.object.Set("fields", rawjson.OfList(fields))
	if err := s.addOrder(order.object.Text()); err != nil {
		return err
	}
	return s.setDefaultOrder(lastAdded)
}
