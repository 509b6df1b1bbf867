package golden

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/generator/document"
)

// instances draws values that a document's schemas admit. It reads the document
// as it was published, by the rules of JSON Schema and OpenAPI, and knows
// nothing of the repairs: that is what makes it an oracle for them.
type instances struct {
	doc *document.Document
	// otherCase lets unknown members have the name of a known one in another
	// case.
	otherCase bool
}

// object is a drawn JSON object. What stands in unknown the schema says nothing
// about: a receiver may drop it.
type object struct{ known, unknown map[string]any }

// sent is the whole of a drawn value as JSON data, kept what must come back.
func sent(v any) any { return plain(v, true) }
func kept(v any) any { return plain(v, false) }

func plain(v any, all bool) any {
	switch v := v.(type) {
	case object:
		out := map[string]any{}
		for name, member := range v.known {
			out[name] = plain(member, all)
		}
		if all {
			for name, member := range v.unknown {
				out[name] = member
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			out[i] = plain(element, all)
		}
		return out
	}
	return v
}

// deep is how far optional things are drawn, deepest how far anything is.
const deep, deepest = 5, 40

func (in instances) draw(t *rapid.T, n *document.Node, depth int) any {
	if depth > deepest {
		t.Fatalf("no finite instance found")
	}
	if in.nullable(n, 0) && (depth > deep || rapid.IntRange(0, 5).Draw(t, "null") == 0) {
		return nil // which also ends a recursion
	}
	parts := in.parts(t, n, false, depth)
	if fixed, ok := fixedValue(t, parts); ok {
		return fixed
	}
	switch kind := in.kind(t, parts); kind {
	case "object":
		return in.object(t, parts, depth)
	case "array":
		return in.array(t, parts, depth)
	case "":
		return anything(t, 2)
	default:
		return scalar(t, kind, first(parts, "format").Str())
	}
}

// nullable reports whether null is admitted, in the way of 3.0 or of 3.1.
func (in instances) nullable(n *document.Node, depth int) bool {
	if depth > deep || n == nil {
		return false
	}
	if n.Get("nullable").True() || slices.Contains(n.Get("type").Strings(), "null") {
		return true
	}
	if ref, ok := n.Ref(); ok && in.nullable(in.doc.Lookup(ref), depth+1) {
		return true
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		for _, arm := range n.Get(keyword).All() {
			if in.nullable(arm, depth+1) {
				return true
			}
		}
	}
	all := n.Get("allOf").All()
	return len(all) == 1 && in.nullable(all[0], depth+1)
}

// parts are the schemas that apply together to one value, without $ref, allOf
// and unions: those are followed, and an arm is drawn. asBase is true for what a
// subtype extends, where a discriminator does not lead back to the subtypes.
func (in instances) parts(t *rapid.T, n *document.Node, asBase bool, depth int) []*document.Node {
	if depth > deepest {
		t.Fatalf("a schema contains nothing but itself")
	}
	parts := []*document.Node{n}
	if ref, ok := n.Ref(); ok {
		parts = append(parts, in.parts(t, in.doc.Lookup(ref), asBase, depth+1)...)
	}
	union := n.Has("oneOf") || n.Has("anyOf")
	if n.Has("discriminator") && !union && !asBase {
		value, subtype := in.subtype(t, n)
		if subtype != nil {
			return append([]*document.Node{in.fixedTo(n, value)}, in.parts(t, subtype, true, depth+1)...)
		}
	}
	// An allOf of one $ref only puts something beside it.
	wrapper := len(n.Get("allOf").All()) == 1 && !n.Has("properties") && !n.Has("required")
	for _, member := range n.Get("allOf").All() {
		parts = append(parts, in.parts(t, member, !wrapper, depth+1)...)
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		arms := slices.DeleteFunc(slices.Clone(n.Get(keyword).All()), onlyNull)
		if len(arms) > 0 {
			parts = append(parts, in.arm(t, n, arms, depth)...)
		}
	}
	return parts
}

func onlyNull(n *document.Node) bool {
	types := n.Get("type").Strings()
	return len(types) == 1 && types[0] == "null"
}

// arm draws one arm of a union, and the value of its discriminator.
func (in instances) arm(t *rapid.T, union *document.Node, arms []*document.Node, depth int) []*document.Node {
	if depth > deep { // the simplest arm of a recursive union ends the recursion
		arms = []*document.Node{slices.MinFunc(arms, func(a, b *document.Node) int { return in.height(a, 0) - in.height(b, 0) })}
	}
	arm := rapid.SampledFrom(arms).Draw(t, "arm")
	parts := in.parts(t, arm, false, depth+1)
	if !union.Has("discriminator") {
		if base, value := in.baseOf(arm); base != nil {
			return append([]*document.Node{in.fixedTo(base, value)}, parts...)
		}
		return parts
	}
	ref := arm.Get("$ref").Str()
	value := document.SchemaName(ref)
	for v, target := range union.At("discriminator", "mapping").Members() {
		if document.SchemaName(target.Str()) == document.SchemaName(ref) {
			value = v
			break
		}
	}
	return append([]*document.Node{in.fixedTo(union, value)}, parts...)
}

// height is how deep a schema must nest, roughly, when it is as simple as can be.
func (in instances) height(n *document.Node, depth int) int {
	if depth > 8 || n == nil {
		return 100
	}
	if ref, ok := n.Ref(); ok {
		return in.height(in.doc.Lookup(ref), depth+1)
	}
	most := 0
	required := n.Get("required").Strings()
	for name, property := range n.Get("properties").Members() {
		if slices.Contains(required, name) {
			most = max(most, 1+in.height(property, depth+1))
		}
	}
	for _, member := range n.Get("allOf").All() {
		most = max(most, in.height(member, depth+1))
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		least := 1000
		for _, arm := range n.Get(keyword).All() {
			least = min(least, in.height(arm, depth+1))
		}
		if n.Has(keyword) {
			most = max(most, least)
		}
	}
	return most
}

// subtype draws one of the schemas a discriminated base stands for.
func (in instances) subtype(t *rapid.T, base *document.Node) (value string, schema *document.Node) {
	choices := in.subtypes(base, map[*document.Node]bool{})
	if len(choices) == 0 {
		return "", nil
	}
	value = rapid.SampledFrom(sortedKeys(choices)).Draw(t, "subtype")
	return value, choices[value]
}

// subtypes are those a mapping names or, without one, the schemas that extend
// the base; and those that stand below them in turn.
func (in instances) subtypes(base *document.Node, seen map[*document.Node]bool) map[string]*document.Node {
	found := map[string]*document.Node{}
	if seen[base] {
		return found
	}
	seen[base] = true
	schemas := in.doc.Root.At("components", "schemas")
	for value, target := range base.At("discriminator", "mapping").Members() {
		found[value] = schemas.Get(document.SchemaName(target.Str()))
	}
	if len(found) == 0 {
		property := base.At("discriminator", "propertyName").Str()
		for name, schema := range schemas.Members() {
			if in.extends(schema, base) {
				found[in.valueOf(schema, property, name)] = schema
			}
		}
	}
	for _, subtype := range found {
		if !subtype.Has("oneOf") && !subtype.Has("anyOf") && subtype.Has("discriminator") {
			for value, below := range in.subtypes(subtype, seen) {
				if found[value] == nil {
					found[value] = below
				}
			}
		}
	}
	return found
}

// baseOf finds the discriminated base that a schema is a subtype of, and the
// value that stands for it.
func (in instances) baseOf(n *document.Node) (base *document.Node, value string) {
	n = in.doc.Resolve(n)
	for _, base := range in.doc.Root.At("components", "schemas").Members() {
		if !base.Has("discriminator") || base.Has("oneOf") || base.Has("anyOf") || n.Has("discriminator") {
			continue
		}
		subtypes := in.subtypes(base, map[*document.Node]bool{})
		for _, value := range sortedKeys(subtypes) {
			if subtypes[value] == n {
				return base, value
			}
		}
	}
	return nil, ""
}

func (in instances) extends(schema, base *document.Node) bool {
	for _, member := range schema.Get("allOf").All() {
		if member.Has("$ref") && in.doc.Resolve(member) == base {
			return true
		}
	}
	return false
}

func (in instances) valueOf(schema *document.Node, property, name string) string {
	for _, part := range append([]*document.Node{schema}, schema.Get("allOf").All()...) {
		p := part.At("properties", property)
		if value := p.Get("const").Str(); value != "" {
			return value
		}
		if values := p.Get("enum").Strings(); len(values) == 1 {
			return values[0]
		}
	}
	return name
}

// fixedTo is a schema that fixes the discriminator's property.
func (in instances) fixedTo(n *document.Node, value string) *document.Node {
	property := n.At("discriminator", "propertyName").Str()
	return document.NewObject(
		"type", "object",
		"required", document.NewArray(property),
		"properties", document.NewObject(property, document.NewObject("const", value)))
}

func first(parts []*document.Node, keyword string) *document.Node {
	for _, p := range parts {
		if p.Has(keyword) {
			return p.Get(keyword)
		}
	}
	return nil
}

// fixedValue draws from the narrowest const or enum.
func fixedValue(t *rapid.T, parts []*document.Node) (any, bool) {
	if value := first(parts, "const"); value != nil {
		return data(value), true
	}
	var values []*document.Node
	for _, p := range parts {
		if list := p.Get("enum").All(); list != nil && (values == nil || len(list) < len(values)) {
			values = list
		}
	}
	values = slices.DeleteFunc(slices.Clone(values), func(v *document.Node) bool { return v.Kind == document.Null })
	if len(values) == 0 {
		return nil, false
	}
	return data(rapid.SampledFrom(values).Draw(t, "enum")), true
}

// data is the plain value of a node.
func data(n *document.Node) any {
	var v any
	decoder := json.NewDecoder(strings.NewReader(string(n.JSON())))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		panic(fmt.Sprintf("a node that is no JSON: %v", err))
	}
	return v
}

// kind draws the type of a value that the parts admit together.
func (in instances) kind(t *rapid.T, parts []*document.Node) string {
	var admitted []string
	for _, p := range parts {
		types := slices.DeleteFunc(p.Get("type").Strings(), func(s string) bool { return s == "null" })
		if len(types) > 0 && (admitted == nil || len(types) < len(admitted)) {
			admitted = types
		}
	}
	if len(admitted) > 0 {
		return rapid.SampledFrom(admitted).Draw(t, "type")
	}
	for _, p := range parts {
		switch {
		case p.Has("properties") || p.Has("required") || p.Has("additionalProperties") || p.Has("patternProperties"):
			return "object"
		case p.Has("items") || p.Has("prefixItems"):
			return "array"
		}
	}
	return ""
}
