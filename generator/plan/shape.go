package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// Shape is what a request body is checked for before it is decoded: Go's types
// cannot tell a required member that is missing from one that is zero, nor a null
// element from an empty one, and a union's arms are not decoded at all. Shapes
// refer to each other by name, so that schemas may contain themselves; an empty
// name stands for anything.
type Shape struct {
	Name string
	// Types are the JSON types admitted, null among them, in the order of
	// jsonTypes; none means all.
	Types []string
	// Required members must be present, and not null unless their shape admits
	// it.
	Required []string
	// Members names the shapes of all members that have a name; Items and Values
	// those of array elements and of members without a name.
	Members []Member
	Items   string
	Values  string
	// Open is true when members without a name are data, too.
	Open bool
	// NullOr names the shape of every value but null, which is admitted; nothing
	// else is set then.
	NullOr string
	// Discriminator is the member whose value picks a shape from Variants.
	Discriminator string
	Variants      []Member
}

// Member names the shape of a member, or of a variant.
type Member struct{ Name, Shape string }

// jsonTypes are the types of JSON Schema.
var jsonTypes = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

// requestBody names the shapes of an operation's body, as JSON and as a form.
func (b *builder) requestBody(op *Operation, at document.Pointer) {
	at, body := b.doc.ResolveAt(at.To("requestBody"))
	op.BodyRequired = body.Get("required").True()
	for mediaType := range body.Get("content").Members() {
		schema := at.To("content", mediaType, "schema")
		switch {
		case IsJSON(mediaType) && op.Body == "":
			op.Body = b.shape(schema)
		case mediaType == "application/x-www-form-urlencoded":
			op.Form = b.shape(schema)
		}
	}
}

// shape names the shape of a schema, making it at the first call.
func (b *builder) shape(at document.Pointer) string {
	if b.shapesOut == nil {
		b.shapesOut = map[string]Shape{}
	}
	at, schema := b.doc.ResolveAt(at)
	if schema == nil || isRaw(schema) {
		return ""
	}
	if members := schema.Get("allOf").All(); len(members) == 1 { // the way to put keywords beside a $ref
		return b.shape(at.To("allOf").Index(0))
	}
	name := b.shapeName(at, schema)
	if _, made := b.shapesOut[name]; made {
		return name
	}
	b.shapesOut[name] = Shape{} // entered first: the schema may contain itself
	s := Shape{Name: name, Types: typesOf(schema)}
	b.fillObject(&s, at, schema)
	if schema.Has("items") {
		s.Items = b.shape(at.To("items"))
	}
	b.fillUnion(&s, at, schema)
	b.shapesOut[name] = s
	return name
}

// shapeName is that of a component, or the pointer of an inline schema. What has
// no name worth keeping is named after what it is: "=string" is a string,
// "[]?=string" an array of strings that may be null, "{}Thing" a map of Things.
func (b *builder) shapeName(at document.Pointer, schema *document.Node) string {
	types, null := typesOf(schema), ""
	if len(types) > 1 && types[0] == "null" {
		types, null = types[1:], "?"
	}
	extra := schema.Get("additionalProperties")
	tokens := at.Tokens()
	component := len(tokens) == 3 && tokens[1] == "schemas"
	switch {
	case component && (schema.Has("items") || extra != nil): // may contain itself
	case len(types) != 1 || schema.Has("oneOf") || schema.Has("anyOf"):
	case types[0] == "array":
		return null + "[]" + b.shape(at.To("items"))
	case types[0] != "object":
		return null + "=" + types[0]
	case extra != nil && extra.Kind == document.Object && !schema.Has("properties") && !schema.Has("required"):
		return null + "{}" + b.shape(at.To("additionalProperties"))
	}
	if component {
		return tokens[2]
	}
	return string(at)
}

// isRaw reports whether a schema passes through undecoded, and so unchecked.
func isRaw(schema *document.Node) bool { return schema.Get("x-go-type").Str() == "json.RawMessage" }

// typesOf are the types a schema names, in order. An unsigned integer may be
// larger than those that are checked; decoding has its own limits.
func typesOf(schema *document.Node) []string {
	types := schema.Get("type").Strings()
	if i := slices.Index(types, "integer"); i >= 0 && strings.HasPrefix(schema.Get("format").Str(), "uint") {
		types[i] = "number"
	}
	slices.SortFunc(types, func(a, b string) int { return cmp.Compare(slices.Index(jsonTypes, a), slices.Index(jsonTypes, b)) })
	return types
}

// fillObject describes the members. A member that only answers have is not
// required of a request.
func (b *builder) fillObject(s *Shape, at document.Pointer, schema *document.Node) {
	properties := schema.Get("properties")
	for _, name := range schema.Get("required").Strings() {
		if !b.doc.Resolve(properties.Get(name)).Get("readOnly").True() && !properties.Get(name).Get("readOnly").True() {
			s.Required = append(s.Required, name)
		}
	}
	for name := range properties.Members() {
		s.Members = append(s.Members, Member{name, b.shape(at.To("properties", name))})
	}
	slices.SortFunc(s.Members, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	if extra := schema.Get("additionalProperties"); extra != nil && extra.Kind == document.Object {
		s.Open = true
		s.Values = b.shape(at.To("additionalProperties"))
	}
}

// fillUnion describes the arms of a union by their discriminator. Without one
// nothing is known of a value but the types that the arms admit; but a union of
// null and one schema is that schema for every value but null.
func (b *builder) fillUnion(s *Shape, at document.Pointer, schema *document.Node) {
	keyword := "oneOf"
	if !schema.Has(keyword) {
		keyword = "anyOf"
	}
	var names []string
	null := false
	for i, arm := range schema.Get(keyword).Elements() {
		if types := typesOf(arm); len(types) == 1 && types[0] == "null" {
			null = true
			continue
		}
		names = append(names, b.shape(at.To(keyword).Index(i)))
	}
	switch {
	case len(names) == 0:
	case null && len(names) == 1 && len(s.Members) == 0:
		s.NullOr, s.Types = names[0], nil
		return
	case schema.Has("discriminator"):
		b.fillVariants(s, schema, keyword)
		s.Types = []string{"object"}
	case len(s.Types) == 0:
		s.Types = b.armTypes(names)
	}
	if null && len(s.Types) > 0 && s.Types[0] != "null" {
		s.Types = append([]string{"null"}, s.Types...)
	}
}

// fillVariants maps the discriminator's values; an arm that the mapping does not
// name has its schema's name as value.
func (b *builder) fillVariants(s *Shape, schema *document.Node, keyword string) {
	s.Discriminator = schema.At("discriminator", "propertyName").Str()
	mapped := map[string]bool{}
	add := func(value, target string) {
		mapped[target] = true
		s.Variants = append(s.Variants, Member{value, b.shape(document.Pointer("/components/schemas").To(target))})
	}
	for value, target := range schema.At("discriminator", "mapping").Members() {
		add(value, document.SchemaName(target.Str()))
	}
	for _, arm := range schema.Get(keyword).Elements() {
		if target := document.SchemaName(arm.Get("$ref").Str()); target != "" && !mapped[target] {
			add(target, target)
		}
	}
}

// armTypes are the types that a union's arms admit; nil when one admits any, or
// is still being described.
func (b *builder) armTypes(names []string) []string {
	var types []string
	for _, name := range names {
		admitted := b.shapesOut[name].Types
		if len(admitted) == 0 {
			return nil
		}
		for _, t := range admitted {
			if !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	slices.SortFunc(types, func(a, b string) int { return cmp.Compare(slices.Index(jsonTypes, a), slices.Index(jsonTypes, b)) })
	return types
}

// shapes gives the shapes that were made, sorted by name.
func (b *builder) shapes() []Shape {
	out := slices.Collect(maps.Values(b.shapesOut))
	slices.SortFunc(out, func(a, b Shape) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
