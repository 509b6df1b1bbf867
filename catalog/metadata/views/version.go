package views

import (
	"strings"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// version is a version of a view that is being looked at or made.
type version struct {
	object *rawjson.Object
	id     int
	schema int
	// time is in milliseconds; nil when the client left it out.
	time *int64
	// dialects are those of the SQL representations, in lower case, in their order.
	dialects []string
	// others are the types of representations that are not SQL.
	others []string
}

// parseVersion reads a version. The error is a fault of kind Invalid that names the member.
func parseVersion(text rawjson.Value) (*version, error) {
	object, err := rawjson.Split(text)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid view version: %w", err)
	}
	a := commits.NewArgs("view version", object)
	v := &version{
		object: object,
		id:     a.Int32("version-id"),
		schema: a.Int32("schema-id"),
		time:   commits.ReadOptional(a, "timestamp-ms", rawjson.AsInt64),
	}
	if a.Has("summary") {
		a.Strings("summary")
	}
	a.StringList("default-namespace")
	for _, representation := range commits.Read(a, "representations", rawjson.AsArray) {
		v.readRepresentation(a, representation)
	}
	return v, a.Err()
}

func (v *version) readRepresentation(a *commits.Args, text rawjson.Value) {
	object, err := rawjson.Split(text)
	if err != nil {
		a.Fail("field representations: %w", err)
		return
	}
	inner := commits.NewArgs("view representation", object)
	defer a.Join(inner)
	kind := inner.String("type")
	if kind != "sql" {
		v.others = append(v.others, kind)
		return
	}
	inner.String("sql")
	v.dialects = append(v.dialects, strings.ToLower(inner.String("dialect")))
}

// check refuses a version that says nothing, or two things in one dialect.
func (v *version) check() error {
	if len(v.dialects)+len(v.others) == 0 {
		return fault.New(fault.IllegalArgument, "Invalid view version: no representations")
	}
	seen := map[string]bool{}
	for _, dialect := range v.dialects {
		if seen[dialect] {
			return fault.New(fault.IllegalArgument,
				"Invalid view version: Cannot add multiple queries for dialect %s", dialect)
		}
		seen[dialect] = true
	}
	return nil
}

// same tells whether two versions would behave alike: they are equal but for id and time.
func (v *version) same(other *version) bool {
	a, errA := v.shape()
	b, errB := other.shape()
	return errA == nil && errB == nil && rawjson.Same(a, b)
}

func (v *version) shape() (rawjson.Node, error) {
	object := v.object.Clone()
	object.Delete("version-id")
	object.Delete("timestamp-ms")
	object.Set("schema-id", rawjson.OfInt(v.schema))
	if object.Get("summary") == nil {
		object.Set("summary", rawjson.Value(`{}`))
	}
	return rawjson.Decode(object.Text())
}

// text returns the version with its id, schema and time, which the catalog may have changed.
func (v *version) text() rawjson.Value {
	v.object.Set("version-id", rawjson.OfInt(v.id))
	v.object.Set("schema-id", rawjson.OfInt(v.schema))
	v.object.Set("timestamp-ms", rawjson.OfInt(*v.time))
	if v.object.Get("summary") == nil {
		v.object.Set("summary", rawjson.Value(`{}`))
	}
	return v.object.Text()
}
