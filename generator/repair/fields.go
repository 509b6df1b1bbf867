package repair

import (
	"fmt"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/oapi"
)

// methods are those that the generated code may declare on a struct.
var methods = []string{"MarshalJSON", "UnmarshalJSON", "Discriminator", "ValueByDiscriminator"}

// distinctFields names the Go fields of properties that differ only in what Go
// names cannot show, such as a dash, or that Go has no name for at all.
func distinctFields(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		taken := map[string]bool{}
		if n.Has("properties") {
			takenByMethods(taken, n)
		}
		for property, schema := range n.Get("properties").Members() {
			natural := oapi.TypeName(property)
			base, why := natural, "another field or method has the Go name "+natural
			if !isGoName(natural) {
				base, why = "Field", "no Go name can be made of it"
			}
			name := base
			for i := 2; taken[name]; i++ {
				name = fmt.Sprintf("%s%d", base, i)
			}
			taken[name] = true
			if name != natural {
				f.nameField(n, property, schema, name)
				f.fixed(p.To("properties", property), "%s; the field is called %s", why, name)
			}
		}
	})
	return nil
}

// takenByMethods enters the names that no field of the schema's struct can have.
func takenByMethods(taken map[string]bool, n *document.Node) {
	for _, name := range methods {
		taken[name] = true
	}
	if n.Has("additionalProperties") {
		taken["AdditionalProperties"] = true
	}
	for _, arm := range arms(n) {
		if name := oapi.TypeName(document.SchemaName(arm.Get("$ref").Str())); name != "" {
			taken["As"+name], taken["From"+name], taken["Merge"+name] = true, true, true
		}
	}
}

// nameField puts the name beside the property's schema; beside a $ref only an
// allOf has room for it.
func (f *fixer) nameField(n *document.Node, property string, schema *document.Node, name string) {
	if ref := schema.Get("$ref"); ref != nil {
		schema = document.NewObject("allOf", document.NewArray(document.NewObject("$ref", ref)))
		n.Get("properties").Set(property, schema)
	}
	schema.Set("x-go-name", document.NewString(name))
}
