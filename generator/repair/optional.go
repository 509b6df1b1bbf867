package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

func optionalProperties(f *fixer) error {
	for _, entry := range f.opts.Optional {
		schema, property, ok := strings.Cut(entry, ".")
		if !ok {
			return fmt.Errorf("optional: %q is not of the form Schema.property", entry)
		}
		n := f.schemas().Get(schema)
		if n == nil {
			return fmt.Errorf("optional: %q: the document has no schema %s", entry, schema)
		}
		required := n.Get("required")
		if !slices.Contains(required.Strings(), property) {
			return fmt.Errorf("optional: %q: the schema does not require %s itself", entry, property)
		}
		required.Items = slices.DeleteFunc(required.Items, func(i *document.Node) bool { return i.Text == property })
		f.fixed(schemaPointer(schema).To("required"), "%s is required by the document and left out by clients; the configuration makes it optional", property)
	}
	return nil
}
