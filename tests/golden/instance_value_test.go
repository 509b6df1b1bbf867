package golden

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/generator/document"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// object draws the members that are known, required and optional ones, entries of
// maps, and some that the schema does not know.
func (in instances) object(t *rapid.T, parts []*document.Node, depth int) any {
	o := object{known: map[string]any{}, unknown: map[string]any{}}
	properties, required := map[string][]*document.Node{}, map[string]bool{}
	for _, p := range parts {
		for name, property := range p.Get("properties").Members() {
			properties[name] = append(properties[name], property)
		}
		for _, name := range p.Get("required").Strings() {
			required[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(required)) {
		if len(properties[name]) == 0 {
			o.known[name] = anything(t, 1)
		}
	}
	for _, name := range sortedKeys(properties) {
		if required[name] || depth < deep && rapid.Bool().Draw(t, "has "+name) {
			o.known[name] = in.draw(t, together(properties[name]), depth+1)
		}
	}
	in.entries(t, o, parts, properties, depth)
	return o
}

// together is the schema of a property that several parts describe.
func together(schemas []*document.Node) *document.Node {
	if len(schemas) == 1 {
		return schemas[0]
	}
	all := document.NewArray()
	all.Items = schemas
	return document.NewObject("allOf", all)
}

// entries draws members that have no name in the schema. Where the schema gives
// them one of their own, or is silent about all members, they are data; where it
// lists the members it knows, they are unknown.
func (in instances) entries(t *rapid.T, o object, parts []*document.Node, properties map[string][]*document.Node, depth int) {
	var values *document.Node
	closed, open := false, len(properties) == 0
	for _, p := range parts {
		switch extra := p.Get("additionalProperties"); {
		case extra == nil:
		case extra.Kind == document.Object && len(extra.Fields) > 0:
			values = extra
		case extra.Kind == document.Object || extra.True():
			open = true
		default:
			closed = true
		}
		for range p.Get("patternProperties").Members() {
			open = true
		}
	}
	names := rapid.SliceOfNDistinct(memberName(properties, in.otherCase), 0, 2, rapid.ID[string]).Draw(t, "entries")
	for _, name := range names {
		if _, taken := o.known[name]; taken || properties[name] != nil {
			continue
		}
		switch {
		case closed || depth > deep:
		case values != nil:
			o.known[name] = in.draw(t, values, depth+1)
		case open:
			o.known[name] = anything(t, 1)
		default:
			o.unknown[name] = anything(t, 1)
		}
	}
}

// memberName draws names that a schema may or may not know; some are a known one
// in another case.
func memberName(properties map[string][]*document.Node, otherCase bool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if names := sortedKeys(properties); otherCase && len(names) > 0 && rapid.Bool().Draw(t, "other case") {
			return strings.Map(swapCase, rapid.SampledFrom(names).Draw(t, "name"))
		}
		return rapid.SampledFrom([]string{"", "x-unknown", "größe", "表", "a.b", "a/b~c", "with space", `"quoted"`, "\u2028", "null", "union"}).Draw(t, "name")
	})
}

func swapCase(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

func (in instances) array(t *rapid.T, parts []*document.Node, depth int) any {
	items := first(parts, "items")
	leading := first(parts, "prefixItems").All()
	least := count(first(parts, "minItems"))
	most := max(least, len(leading)+2)
	if depth > deep {
		most = least
	}
	out := []any{}
	for i := range rapid.IntRange(least, most).Draw(t, "length") {
		switch {
		case i < len(leading):
			out = append(out, in.draw(t, leading[i], depth+1))
		case items != nil && items.Kind == document.Object:
			out = append(out, in.draw(t, items, depth+1))
		default:
			out = append(out, anything(t, 1))
		}
	}
	return out
}

func count(n *document.Node) int {
	if n == nil {
		return 0
	}
	i, _ := strconv.Atoi(n.Text)
	return i
}

// texts hold what goes wrong when text is handled carelessly.
var texts = []string{"", "main", "ü", "表", "🧊", "a\u0000b", "\u2028\u2029", `"\/`, "<&>", " space ", "0", "null", "9007199254740993", strings.Repeat("long ", 60)}

// integers are those that floating point and narrow types lose.
var integers = []int64{0, 1, -1, 42, 9007199254740993, -9007199254740993, 9223372036854775807, -9223372036854775808}

func scalar(t *rapid.T, kind, format string) any {
	switch kind {
	case "boolean":
		return rapid.Bool().Draw(t, "boolean")
	case "integer":
		i := rapid.OneOf(rapid.SampledFrom(integers), rapid.Int64()).Draw(t, "integer")
		switch format {
		case "int32":
			i = int64(int32(i))
		case "uint64":
			return json.Number(strconv.FormatUint(uint64(i), 10))
		}
		return json.Number(strconv.FormatInt(i, 10))
	case "number":
		return number(t, format)
	}
	return rapid.OneOf(rapid.SampledFrom(texts), rapid.String()).Draw(t, "string")
}

// number draws what a double holds or, where no format says that it is one,
// also what only a decimal does.
func number(t *rapid.T, format string) json.Number {
	if format == "" && rapid.Bool().Draw(t, "exact") {
		return rapid.SampledFrom([]json.Number{"9007199254740993", "0.12345678901234567890123", "-1e400", "100", "1.50"}).Draw(t, "number")
	}
	f := rapid.OneOf(rapid.SampledFrom([]float64{0, -1, 0.1, 1e21, 1e-7, 1.7976931348623157e308}), rapid.Float64Range(-1e9, 1e9)).Draw(t, "number")
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// anything draws a value of any type.
func anything(t *rapid.T, depth int) any {
	most := 7
	if depth <= 0 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(t, "anything") {
	case 0:
		return nil
	case 1:
		return scalar(t, "boolean", "")
	case 2:
		return scalar(t, "integer", "")
	case 3:
		return number(t, "")
	case 4:
		return scalar(t, "string", "")
	case 5:
		return []any{}
	case 6:
		return []any{anything(t, depth-1)}
	default:
		return map[string]any{scalar(t, "string", "").(string): anything(t, depth-1)}
	}
}
