package repair

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/onceberg/onceberg/generator/document"
)

// rawSchemas makes the configured schemas raw, and with them every schema that
// extends one by allOf, which could not be merged any more.
func rawSchemas(f *fixer) error {
	raw := map[string]bool{}
	for _, name := range f.opts.Raw {
		if !f.schemas().Has(name) {
			return fmt.Errorf("raw: the document has no schema %s", name)
		}
		raw[name] = true
	}
	for grown := true; grown; {
		grown = false
		for name, schema := range f.schemas().Members() {
			if !raw[name] && extendsAny(schema, raw) {
				raw[name], grown = true, true
			}
		}
	}
	for name, schema := range f.schemas().Members() {
		if !raw[name] {
			continue
		}
		keepRaw(schema)
		reason := "the configuration keeps it as raw JSON"
		if !slices.Contains(f.opts.Raw, name) {
			reason = "it extends a schema that the configuration keeps as raw JSON"
		}
		f.fixed(schemaPointer(name), "%s", reason)
	}
	return nil
}

func extendsAny(schema *document.Node, names map[string]bool) bool {
	for _, member := range schema.Get("allOf").Elements() {
		if ref := member.Get("$ref").Str(); names[document.SchemaName(ref)] {
			return true
		}
	}
	return false
}

// rawType is the Go type of what passes through undecoded.
const rawType = "json.RawMessage"

// keepRaw makes a schema raw JSON in Go: the text passes through undecoded, and
// null and absent stay apart without a pointer.
func keepRaw(n *document.Node) {
	kept := document.NewObject()
	for _, name := range []string{"description", "deprecated", "x-deprecated-reason"} {
		if value := n.Get(name); value != nil {
			kept.Set(name, value)
		}
	}
	kept.Set("x-go-type", document.NewString(rawType))
	kept.Set("x-go-type-skip-optional-pointer", document.NewBool(true))
	n.Fields = kept.Fields
}

func rawSchema() *document.Node {
	n := document.NewObject()
	keepRaw(n)
	return n
}

// unmodelled are keywords that admit data which oapi-codegen's types have no
// place for.
var unmodelled = []string{"patternProperties", "prefixItems", "if", "then", "else", "dependentSchemas", "$dynamicRef", "unevaluatedItems"}

// rawJSON finds schemas whose Go type would be interface{}, which turns large
// integers into floats, or which say more than a Go type can.
func rawJSON(f *fixer) error {
	open := f.openUnions()
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if n.Has("$ref") || n.Has("x-go-type") || isNull(n) && isArm(p) {
			return
		}
		reason := rawReason(n)
		if open[n] {
			reason = "an arm of it admits anything"
		}
		if reason != "" {
			keepRaw(n)
			f.fixed(p, "%s; it is kept as raw JSON", reason)
			return
		}
		f.rawMembers(p, n)
	})
	f.rawBodies()
	return nil
}

// openUnions are the unions with an arm that admits anything, and so null, for
// which a union's Go type has no place. They are looked for before any schema is
// raw: what is raw no longer says what it admits.
func (f *fixer) openUnions() map[*document.Node]bool {
	open := map[*document.Node]bool{}
	f.doc.WalkSchemas(func(_ document.Pointer, n *document.Node) {
		open[n] = isUnion(n) && f.admitsAll(n)
	})
	return open
}

// isArm reports whether a pointer leads to an arm of a union.
func isArm(p document.Pointer) bool {
	tokens := p.Tokens()
	if len(tokens) < 2 {
		return false
	}
	keyword := tokens[len(tokens)-2]
	return keyword == "oneOf" || keyword == "anyOf"
}

func rawReason(n *document.Node) string {
	for _, keyword := range unmodelled {
		if n.Has(keyword) {
			return keyword + " admits data that no Go type can hold"
		}
	}
	if name, found := unusable(n); found {
		return fmt.Sprintf("no Go field can be tagged with the property name %q", name)
	}
	types := typesOf(n)
	switch {
	case len(types) > 1:
		return "it admits several types, " + strings.Join(types, " and ")
	case isNull(n) || isUnion(n) && len(arms(n)) == 0:
		return "no Go type admits null alone"
	case len(types) == 0 && !n.Has("allOf") && !isUnion(n):
		return "it has no type and admits anything"
	case n.Has("oneOf") && n.Has("anyOf"):
		return "it is two unions at once"
	}
	return ""
}

// unusable finds a property name that the tag of a Go field cannot hold, by the
// rule of encoding/json. An encoder would use the name of the field instead.
func unusable(n *document.Node) (name string, found bool) {
	for name := range n.Get("properties").Members() {
		if name == "" || name == "-" || strings.ContainsFunc(name, unusableInTag) {
			return name, true
		}
	}
	return "", false
}

func unusableInTag(r rune) bool {
	return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func freeMembers(n *document.Node) bool {
	extra := n.Get("additionalProperties")
	return extra != nil && extra.Kind == document.Object
}

// rawMembers mends what is free-form inside an otherwise typed schema: members
// of an object without a schema, elements of an array without one.
func (f *fixer) rawMembers(p document.Pointer, n *document.Node) {
	extra := n.Get("additionalProperties")
	free := isType(n, "object") && !n.Has("allOf") && !isUnion(n) && len(fieldNames(n.Get("properties"))) == 0 && !freeMembers(n)
	if free || extra.True() || extra != nil && extra.Kind == document.Object && len(extra.Fields) == 0 {
		n.Set("additionalProperties", rawSchema())
		f.fixed(p, "its members may be anything; each is kept as raw JSON")
	}
	items := n.Get("items")
	if isType(n, "array") && (items == nil || len(items.Fields) == 0) {
		n.Set("items", rawSchema())
		f.fixed(p, "its elements may be anything; each is kept as raw JSON")
	}
}

// rawBodies keeps bodies that may be null, since a body has no place for a null
// beside its type.
func (f *fixer) rawBodies() {
	f.doc.WalkStructure(func(p document.Pointer, n *document.Node) {
		tokens := p.Tokens()
		if len(tokens) < 2 || tokens[len(tokens)-2] != "content" || slices.Contains(tokens, "parameters") {
			return
		}
		schema := n.Get("schema")
		if schema == nil || isRaw(f.doc.Resolve(schema)) || !f.nullable(schema) {
			return
		}
		n.Set("schema", rawSchema())
		f.fixed(p.To("schema"), "the whole body may be null; it is kept as raw JSON")
	})
}
