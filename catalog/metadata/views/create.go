package views

import (
	"time"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// CreateRequest is a createView request that was read.
type CreateRequest struct {
	commits.Creation

	schema  rawjson.Value
	version *rawjson.Object
}

// ParseCreate reads the body of a createView request. Members that are null count as absent. The error is a fault of
// kind Invalid.
func ParseCreate(body []byte) (*CreateRequest, error) {
	request := &CreateRequest{}
	var err error
	request.Creation, err = commits.ParseCreation("view", body, func(a *commits.Args) {
		request.schema = a.Value("schema")
		request.version = a.Members("view-version")
	})
	return request, err
}

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
	if err := s.setProperties(r.Properties); err != nil {
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
