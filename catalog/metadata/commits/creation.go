package commits

import (
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// Creation is what requests to create a table and a view have in common.
type Creation struct {
	Name string
	// Location is the base location that the client asks for, byte for byte; empty when it leaves the choice to the
	// catalog.
	Location string
	// Properties are those that the client sent.
	Properties *rawjson.Object
}

// Property returns a property that the client sent, or the empty string.
func (c *Creation) Property(key string) string { return properties.Text(c.Properties, key, "") }

// ParseCreation reads the body of a request to create what the noun names; more reads what is its own. Members that are
// null count as absent. The error is a fault of kind Invalid.
func ParseCreation(noun string, body []byte, more func(a *Args)) (Creation, error) {
	what := "create " + noun + " request"
	object, err := rawjson.Parse(body)
	if err != nil {
		return Creation{}, fault.New(fault.Invalid, "Invalid "+what+": %w", err)
	}
	a := NewArgs(what, object)
	c := Creation{Name: a.String("name"), Properties: &rawjson.Object{}}
	more(a)
	if location := ReadOptional(a, "location", rawjson.AsString); location != nil {
		c.Location = *location
	}
	if a.Has("properties") {
		c.Properties = a.Strings("properties")
	}
	if a.Err() == nil && c.Name == "" {
		a.Fail("field name: must not be empty")
	}
	return c, a.Err()
}
