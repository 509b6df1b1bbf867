package plan

import (
	"cmp"
	"maps"
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// Shape is what a request body is checked for before it is decoded, since Go's
// types cannot tell a required member that is missing from one that is zero.
// Shapes refer to each other by name, so that schemas may contain themselves.
type Shape struct {
	Name string
	// Required members must be present, and not null unless they are in
	// Nullable.
	Required []string
	Nullable []string
	// Members, Items and Values name the shapes of members by name, of array
	// elements, and of the members of a map.
	Members []Member
	Items   string
	Values  string
	// All names shapes that apply as well.
	All []string
	// Discriminator is the member whose value picks a shape from Variants.
	Discriminator string
	Variants      []Member
}

// Member names the shape of a member, or of a variant.
type Member struct{ Name, Shape string }

// trivial shapes check nothing, and are left out.
func (s Shape) trivial() bool {
	return len(s.Required) == 0 && len(s.Members) == 0 && s.Items == "" && s.Values == "" && len(s.All) == 0 && s.Discriminator == ""
}

// requestBody names the shape of an operation's JSON body.
func (b *builder) requestBody(at document.Pointer) (shape string, required bool) {
	bodyAt, body := b.doc.ResolveAt(at.To("requestBody"))
	if body == nil {
		return "", false
	}
	for mediaType := range body.Get("content").Members() {
		if IsJSON(mediaType) {
			return b.shape(bodyAt.To("content", mediaType, "schema")), body.Get("required").True()
		}
	}
	return "", body.Get("required").True()
}

// shape names the shape of a schema, making it at the first call. The name is
// that of the component, or the pointer of an inline schema.
func (b *builder) shape(at document.Pointer) string {
	if b.shapesOut == nil {
		b.shapesOut = map[string]Shape{}
	}
	at, schema := b.doc.ResolveAt(at)
	if schema == nil || schema.Has("x-go-type") {
		return ""
	}
	name := shapeName(at)
	if _, made := b.shapesOut[name]; made {
		return name
	}
	b.shapesOut[name] = Shape{} // entered first: the schema may contain itself
	s := Shape{Name: name}
	b.fillShape(&s, at, schema)
	b.shapesOut[name] = s
	return name
}

func shapeName(at document.Pointer) string {
	tokens := at.Tokens()
	if len(tokens) == 3 && tokens[1] == "schemas" {
		return tokens[2]
	}
	return string(at)
}

func (b *builder) fillShape(s *Shape, at document.Pointer, schema *document.Node) {
	s.Required = schema.Get("required").Strings()
	for name, property := range schema.Get("properties").Members() {
		if slices.Contains(s.Required, name) && b.nullable(property) {
			s.Nullable = append(s.Nullable, name)
		}
		if shape := b.shape(at.To("properties", name)); shape != "" {
			s.Members = append(s.Members, Member{name, shape})
		}
	}
	if schema.Has("items") {
		s.Items = b.shape(at.To("items"))
	}
	if extra := schema.Get("additionalProperties"); extra != nil && extra.Kind == document.Object {
		s.Values = b.shape(at.To("additionalProperties"))
	}
	for i := range schema.Get("allOf").Elements() {
		if shape := b.shape(at.To("allOf").Index(i)); shape != "" {
			s.All = append(s.All, shape)
		}
	}
	if (schema.Has("oneOf") || schema.Has("anyOf")) && !schema.Has("discriminator") {
		b.fillNullableArm(s, at, schema)
	}
	for value, target := range schema.At("discriminator", "mapping").Members() {
		s.Discriminator = schema.At("discriminator", "propertyName").Str()
		name := document.SchemaName(target.Str())
		s.Variants = append(s.Variants, Member{value, b.shape(document.Pointer("/components/schemas").To(name))})
	}
}

// fillNullableArm looks into a union of null and one schema, which is that
// schema for every value but null. Of other unions without a discriminator
// nothing can be required.
func (b *builder) fillNullableArm(s *Shape, at document.Pointer, schema *document.Node) {
	keyword := "oneOf"
	if !schema.Has(keyword) {
		keyword = "anyOf"
	}
	var others []int
	for i, arm := range schema.Get(keyword).Elements() {
		if types := arm.Get("type").Strings(); len(types) != 1 || types[0] != "null" {
			others = append(others, i)
		}
	}
	if len(others) == 1 {
		i := others[0]
		if shape := b.shape(at.To(keyword).Index(i)); shape != "" {
			s.All = append(s.All, shape)
		}
	}
}

// nullable reports whether a schema admits null, in the way of 3.0 or of 3.1. A
// schema without any type admits everything.
func (b *builder) nullable(schema *document.Node) bool {
	n := b.doc.Resolve(schema)
	if n.Get("nullable").True() || slices.Contains(n.Get("type").Strings(), "null") || n.Has("x-go-type") {
		return true
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		for _, arm := range n.Get(keyword).Elements() {
			if b.nullable(arm) {
				return true
			}
		}
	}
	return false
}

// shapes gives the shapes that check something, and cuts references to those
// that do not.
func (b *builder) shapes(p *Plan) []Shape {
	for again := true; again; {
		again = false
		for name, s := range b.shapesOut {
			b.cut(&s)
			b.shapesOut[name] = s
			if s.trivial() {
				delete(b.shapesOut, name)
				again = true
			}
		}
	}
	for i := range p.Operations {
		if _, kept := b.shapesOut[p.Operations[i].Body]; !kept {
			p.Operations[i].Body = ""
		}
	}
	out := slices.Collect(maps.Values(b.shapesOut))
	slices.SortFunc(out, func(a, b Shape) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func (b *builder) cut(s *Shape) {
	gone := func(name string) bool { _, kept := b.shapesOut[name]; return !kept }
	s.Members = slices.DeleteFunc(s.Members, func(m Member) bool { return gone(m.Shape) })
	s.All = slices.DeleteFunc(s.All, gone)
	if gone(s.Items) {
		s.Items = ""
	}
	if gone(s.Values) {
		s.Values = ""
	}
	for i := range s.Variants {
		if gone(s.Variants[i].Shape) {
			s.Variants[i].Shape = ""
		}
	}
}
