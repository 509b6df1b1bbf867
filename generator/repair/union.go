package repair

import (
	"fmt"
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
	for _, name := range f.memberNames() {
		base := f.schemas().Get(name)
		if !base.Has("discriminator") || base.Has("oneOf") || base.Has("anyOf") {
			continue
		}
		subtypes := f.extenders(name)
		mapping := f.mapping(base, subtypes)
		if len(mapping.Fields) == 0 {
			return f.doc.Errorf(schemaPointer(name), "schema %s has a discriminator and neither a mapping nor subtypes", name)
		}
		baseName := f.freeName(name + "Base")
		f.splitBase(name, baseName, mapping, subtypes)
		f.fixed(schemaPointer(name), "a discriminator without oneOf would lose the fields of its %d subtypes; it is their union now, and they extend %s", len(mapping.Fields), baseName)
	}
	return nil
}

func (f *fixer) memberNames() []string {
	var names []string
	for name := range f.schemas().Members() {
		names = append(names, name)
	}
	return names
}

// extenders are the schemas that extend the named one by allOf.
func (f *fixer) extenders(name string) []string {
	var found []string
	for candidate, schema := range f.schemas().Members() {
		if extendsAny(schema, map[string]bool{name: true}) {
			found = append(found, candidate)
		}
	}
	return found
}

// mapping is the base's own mapping, or the one it implies: each subtype by the
// value its discriminating property is fixed to, or by its name.
func (f *fixer) mapping(base *document.Node, subtypes []string) *document.Node {
	if mapping := base.At("discriminator", "mapping"); mapping != nil {
		full := document.NewObject()
		for value, target := range mapping.Members() {
			full.Set(value, document.NewString(schemaRef(document.SchemaName(target.Str()))))
		}
		return full
	}
	property := base.At("discriminator", "propertyName").Str()
	implied := document.NewObject()
	for _, subtype := range subtypes {
		implied.Set(f.discriminatorValue(subtype, property), document.NewString(schemaRef(subtype)))
	}
	return implied
}

func (f *fixer) discriminatorValue(subtype, property string) string {
	schema := f.schemas().Get(subtype)
	candidates := []*document.Node{schema}
	candidates = append(candidates, schema.Get("allOf").All()...)
	for _, c := range candidates {
		p := c.At("properties", property)
		if value := p.Get("const").Str(); value != "" {
			return value
		}
		if enum := p.Get("enum").Strings(); len(enum) == 1 {
			return enum[0]
		}
	}
	return subtype
}

func (f *fixer) splitBase(name, baseName string, mapping *document.Node, subtypes []string) {
	schemas := f.schemas()
	union := schemas.Get(name)
	base := union.Clone()
	property := base.At("discriminator", "propertyName")
	base.Delete("discriminator")
	schemas.Set(baseName, base)

	arms := document.NewArray()
	for _, target := range targets(mapping) {
		arms.Items = append(arms.Items, document.NewObject("$ref", target))
	}
	description := union.Get("description")
	union.Fields = nil
	if description != nil {
		union.Set("description", description)
	}
	union.Set("oneOf", arms)
	union.Set("discriminator", document.NewObject("propertyName", property, "mapping", mapping))

	for _, subtype := range subtypes {
		for _, member := range schemas.Get(subtype).Get("allOf").Elements() {
			if document.SchemaName(member.Get("$ref").Str()) == name {
				member.Set("$ref", document.NewString(schemaRef(baseName)))
			}
		}
	}
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

// unionDiscriminator lets a union be dispatched on: its arms are all subtypes of
// one discriminated base, but the union itself does not say so.
func unionDiscriminator(f *fixer) error {
	type base struct{ discriminator, mapping *document.Node }
	bySubtype := map[string]base{}
	for _, schema := range f.schemas().Members() {
		discriminator := schema.Get("discriminator")
		for _, target := range discriminator.Get("mapping").Members() {
			sub := document.SchemaName(target.Str())
			if _, taken := bySubtype[sub]; !taken {
				bySubtype[sub] = base{discriminator.Get("propertyName"), discriminator.Get("mapping")}
			}
		}
	}
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		arms := n.Get("oneOf")
		if arms == nil {
			arms = n.Get("anyOf")
		}
		if arms == nil || n.Has("discriminator") || len(arms.Items) == 0 {
			return
		}
		first, known := bySubtype[document.SchemaName(arms.Items[0].Get("$ref").Str())]
		if !known {
			return
		}
		wanted := map[string]bool{}
		for _, arm := range arms.Items {
			wanted[arm.Get("$ref").Str()] = true
		}
		mapping := document.NewObject()
		for value, target := range first.mapping.Members() {
			if wanted[schemaRef(document.SchemaName(target.Str()))] {
				mapping.Set(value, target)
			}
		}
		if len(targets(mapping)) != len(wanted) {
			return
		}
		n.Set("discriminator", document.NewObject("propertyName", first.discriminator, "mapping", mapping))
		f.fixed(p, "its %d arms are told apart by %s, as the base that they extend says", len(wanted), first.discriminator.Str())
	})
	return nil
}

// freeName finds a schema name that nothing has yet.
func (f *fixer) freeName(name string) string {
	for n := 2; f.schemas().Has(name); n++ {
		name = fmt.Sprintf("%s%d", name, n)
	}
	return name
}
