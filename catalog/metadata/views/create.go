package views

import (
	"time"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// CreateRequest is a createView request that was read.
type CreateRequest struct {
	Name string
	// Location is the base location that the client asks for, byte for byte; empty when it leaves the choice to the
	// catalog.
	Location string

	schema     rawjson.Value
	version    *rawjson.Object
	properties *rawjson.Object
}

// ParseCreate reads the body of a createView request. Members that are null count as absent. The error is a fault of
// kind Invalid.
func ParseCreate(body []byte) (*CreateRequest, error) {
	object, err := rawjson.Parse(body)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid create view request: %w", err)
	}
	a := commits.NewArgs("create view request", object)
	request := &CreateRequest{
		Name:       a.String("name"),
		schema:     a.Value("schema"),
		version:    a.Members("view-version"),
		properties: &rawjson.Object{},
	}
	if location := commits.ReadOptional(a, "location", rawjson.AsString); location != nil {
		request.Location = *location
	}
	if a.Has("properties") {
		request.properties = a.Strings("properties")
	}
	if a.Err() == nil && request.Name == "" {
		a.Fail("field name: must not be empty")
	}
	return request, a.Err()
}

// Property returns a property that the client sent, or the empty string.
func (r *CreateRequest) Property(key string) string { return properties.Text(r.properties, key, "") }

// Build makes the view at a base location: schema 0 and version 1, whatever numbers the client gave them, and one entry
// in the version log. Column ids are kept, since a view's columns are not a table's. The error is a fault of kind
// Invalid or IllegalArgument.
func (r *CreateRequest) Build(location string, now time.Time, newUUID func() string) (*View, error) {
	s := emptyState()
	s.commit = progress{now: now.UnixMilli(), added: map[int]int64{}}
	s.uuid = newUUID()
	if err := s.setLocation(location); err != nil {
		return nil, err
	}
	if err := s.setProperties(r.properties); err != nil {
		return nil, err
	}
	if err := s.addSchema(r.schema); err != nil {
		return nil, err
	}
	version := r.version.Clone()
	version.Set("version-id", rawjson.OfInt(1))
	version.Set("schema-id", rawjson.OfInt(lastAdded))
	if err := refuseOthers(version.Text()); err != nil {
		return nil, err
	}
	if err := s.addVersion(version.Text()); err != nil {
		return nil, err
	}
	if err := s.setCurrentVersion(lastAdded); err != nil {
		return nil, err
	}
	return s.finish("", newUUID())
}

// refuseOthers refuses a new view that is defined by anything but SQL.
func refuseOthers(text rawjson.Value) error {
	version, err := parseVersion(text)
	if err != nil {
		return err
	}
	if len(version.others) > 0 {
		return fault.New(fault.Invalid, "Found unsupported view representations: %v", version.others)
	}
	return nil
}
