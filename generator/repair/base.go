package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// baseAsUnion mends the older idiom of inheritance: a base schema names its
// subtypes in a discriminator and they extend it by allOf, so that wherever the
// base is used, a subtype is meant. A generator that takes the base literally
// decodes a subtype to the base's fields and loses the rest.
//
// The base becomes the union of its subtypes; what they extend moves to a schema
// of its own that has no discriminator.
func baseAsUnion(f *fixer) error {
	if err := f.refuseCircles(); err != nil {
		return err
	}
	f.liftDiscriminators()
	h := hierarchy{fixer: f, bases: map[string]bool{}}
	for name, schema := range f.schemas().Members() {
		if schema.Has("discriminator") && !isUnion(schema) {
			h.bases[name] = true
		}
	}
	// All families are read before the first is changed.
	families := map[string]*document.Node{}
	for name := range h.bases {
		families[name] = h.family(name, map[string]bool{})
	}
	plainNames := map[string]string{}
	for _, name := range f.memberNames() {
		if !h.bases[name] {
			continue
		}
		if len(families[name].Fields) == 0 {
			f.schemas().Get(name).Delete("discriminator")
			f.fixed(schemaPointer(name), "it has a discriminator and neither a mapping nor subtypes; the discriminator is dropped")
			continue
		}
		plainNames[name] = f.freeName(name + "Base")
		f.addSchema(plainNames[name], f.schemas().Get(name).Clone())
	}
	for _, name := range f.memberNames() {
		if plainNames[name] != "" {
			f.becomeUnion(name, families[name], plainNames)
		}
	}
	f.extendPlain(plainNames)
	return nil
}

// liftDiscriminators moves a discriminator that stands in an inline member of an
// allOf to the schema itself, which is what it speaks of.
func (f *fixer) liftDiscriminators() {
	for _, schema := range f.schemas().Members() {
		for _, member := range schema.Get("allOf").All() {
			if d := member.Get("discriminator"); d != nil && !isUnion(member) && !schema.Has("discriminator") {
				member.Delete("discriminator")
				schema.Set("discriminator", d)
			}
		}
	}
}

// hierarchy reads who is a subtype of whom.
type hierarchy struct {
	*fixer
	bases map[string]bool
}

// family maps the values of a base's discriminator to the schemas they stand
// for, as references: those of its mapping or, without one, the base itself and
// the schemas that extend it, each under the value that it fixes or else its
// name; and the families of those that are bases themselves.
func (h hierarchy) family(name string, seen map[string]bool) *document.Node {
	family := document.NewObject()
	if seen[name] {
		return family
	}
	seen[name] = true
	base := h.schemas().Get(name)
	for value, target := range base.At("discriminator", "mapping").Members() {
		family.Set(value, document.NewString(schemaRef(document.SchemaName(target.Str()))))
	}
	if len(family.Fields) == 0 {
		h.implied(family, name, base.At("discriminator", "propertyName").Str())
	}
	for _, target := range targets(family) {
		if below := document.SchemaName(target); h.bases[below] {
			for value, schema := range h.family(below, seen).Members() {
				if !family.Has(value) {
					family.Set(value, schema)
				}
			}
		}
	}
	return family
}

func (h hierarchy) implied(family *document.Node, name, property string) {
	for _, subtype := range h.extenders(name) {
		family.Set(h.discriminatorValue(subtype, property), document.NewString(schemaRef(subtype)))
		if !h.bases[subtype] { // a base's own family follows
			h.implied(family, subtype, property)
		}
	}
	if h.bases[name] && len(family.Fields) > 0 && !family.Has(name) {
		family.Set(name, document.NewString(schemaRef(name)))
	}
}

func (f *fixer) memberNames() []string {
	var names []string
	for name := range f.schemas().Members() {
		names = append(names, name)
	}
	return names
}

// extenders are the schemas that extend the named one by allOf and add to it.
func (f *fixer) extenders(name string) []string {
	var found []string
	for candidate, schema := range f.schemas().Members() {
		if candidate != name && extendsAny(schema, map[string]bool{name: true}) && !isWrapper(schema) {
			found = append(found, candidate)
		}
	}
	return found
}

// discriminatorValue is the value a subtype fixes the property to, or its name.
func (f *fixer) discriminatorValue(subtype, property string) string {
	schema := f.schemas().Get(subtype)
	for _, part := range append([]*document.Node{schema}, schema.Get("allOf").All()...) {
		p := part.At("properties", property)
		if value := p.Get("const").Str(); value != "" {
			return value
		}
		if enum := p.Get("enum").Strings(); len(enum) == 1 {
			return enum[0]
		}
	}
	return subtype
}

// becomeUnion makes a base the union of its family. A base in the family stands
// for itself there, not for its own family, which the family contains.
func (f *fixer) becomeUnion(name string, family *document.Node, plainNames map[string]string) {
	base := f.schemas().Get(name)
	mapping := document.NewObject()
	for value, target := range family.Members() {
		schema := document.SchemaName(target.Str())
		if plain := plainNames[schema]; plain != "" {
			schema = plain
		}
		mapping.Set(value, document.NewString(schemaRef(schema)))
	}
	list := document.NewArray()
	for _, target := range targets(mapping) {
		list.Items = append(list.Items, document.NewObject("$ref", target))
	}
	property := base.At("discriminator", "propertyName")
	description := base.Get("description")
	base.Fields = nil
	if description != nil {
		base.Set("description", description)
	}
	base.Set("oneOf", list)
	base.Set("discriminator", document.NewObject("propertyName", property, "mapping", mapping))
	f.fixed(schemaPointer(name), "a discriminator without oneOf would lose the fields of its %d subtypes; it is their union now, and they extend %s", len(list.Items), plainNames[name])
}

// extendPlain lets whatever extends a former base extend its fields.
func (f *fixer) extendPlain(plainNames map[string]string) {
	for _, plain := range plainNames {
		f.schemas().Get(plain).Delete("discriminator")
	}
	f.doc.WalkSchemas(func(_ document.Pointer, n *document.Node) {
		if isWrapper(n) {
			return
		}
		for _, member := range n.Get("allOf").All() {
			if plain := plainNames[document.SchemaName(member.Get("$ref").Str())]; plain != "" {
				member.Set("$ref", document.NewString(schemaRef(plain)))
			}
		}
	})
}

// targets are the distinct references of a mapping, in its order.
func targets(mapping *document.Node) []string {
	var out []string
	for _, target := range mapping.Members() {
		if !slices.Contains(out, target.Str()) {
			out = append(out, target.Str())
		}
	}
	return out
}
