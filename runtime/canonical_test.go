package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func canonicalOf(text string) (string, bool) {
	var c canonical
	ok := c.json([]byte(text))
	return string(c.out), ok
}

func TestCanonicalEqual(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, " {\n\t\"b\" : 2 ,\r\"a\": 1 } "},
		{`{"a":{"x":1,"y":[1,2]},"b":null}`, `{"b":null,"a":{"y":[1,2],"x":1}}`},
		{`"a"`, `"\u0061"`},
		{`"é"`, `"\u00e9"`, `"\u00E9"`},
		{`"😀"`, `"\ud83d\ude00"`, `"\uD83D\uDE00"`},
		{`"/"`, `"\/"`, `"\u002f"`},
		{`"\n\t\r\b\f\"\\"`, `"\u000a\u0009\u000d\u0008\u000c\u0022\u005c"`},
		{`{"\u0061":1}`, `{"a":1}`},
		{`1`, `1.0`, `1e0`, `1E0`, `10e-1`, `0.1e1`, `1.00`, `1e+0`, `0.001e3`, `1e00`},
		{`100`, `1e2`, `1.0e2`, `1000e-1`},
		{`0`, `-0`, `0.0`, `0e5`, `-0.000e-9`, `0e99999999999999999999`},
		{`-12.5`, `-125e-1`, `-0.125e2`},
		{`9007199254740993`, `9007199254740993.0`, `9.007199254740993e15`},
		{`{"a":1,"b":2,"a":3}`, `{"b":2,"a":1,"a":3}`},
	} {
		first, ok := canonicalOf(same[0])
		if !ok {
			t.Errorf("%s is not taken as JSON", same[0])
		}
		for _, other := range same[1:] {
			if got, ok := canonicalOf(other); !ok || got != first {
				t.Errorf("%s and %s differ: %q, %q", same[0], other, first, got)
			}
		}
	}
}

func TestCanonicalDifferent(t *testing.T) {
	t.Parallel()
	texts := []string{
		`9007199254740993`, `9007199254740992`, `1`, `-1`, `10`, `0`, `0.1`, `1e1000`, `1e1001`,
		`1e99999999999999999999`, `1e99999999999999999998`, `"1"`, `true`, `false`, `null`, `""`, `[]`, `{}`,
		`[[]]`, `[[],[]]`, `[1,2]`, `[2,1]`, `[12]`, `["a","b"]`, `["ab"]`, `["a,b"]`, `["a.b"]`, `{"a":1}`,
		`{"a":"1"}`, `{"a":null}`, `{"A":1}`, `{"a":1,"a":2}`, `{"a":2,"a":1}`, `{"a":{"b":1}}`, `{"a":1,"b":1}`,
		`"\ud83d"`, `"\ud83e"`, `"\ude00"`, `"\ufffd"`, `"\ud83d\ud83d"`, `"\ude00\ud83d"`, `"\u0000"`, `"\\u0000"`,
		`"é"`, `"e\u0301"`, `"\""`, `"\"\""`, `["\"", ""]`, `["", "\""]`, `{"\"":1}`, `"\u0001\""`, `{"":0}`, `{"":{}}`, `[{"a":1},{"b":2}]`, `[{"a":1,"b":2}]`,
	}
	seen := map[string]string{}
	for _, text := range texts {
		got, ok := canonicalOf(text)
		if !ok {
			t.Errorf("%s is not taken as JSON", text)
		}
		if other, dup := seen[got]; dup {
			t.Errorf("%s and %s are taken for the same", text, other)
		}
		seen[got] = text
	}
}

func TestCanonicalRefuses(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, text := range []string{
		``, ` `, `{`, `}`, `{]`, `[1,]`, `{"a":1,}`, `{"a"}`, `{a:1}`, `{"a":1 "b":2}`, `[1 2]`, `01`, `-`, `+1`, `.5`,
		`1.`, `1e`, `1e+`, `--1`, `0x10`, `NaN`, `tru`, `nulll`, `"`, `"\`, `"\x"`, `"\u12"`, `"\u12g4"`, "\"\n\"",
		"\"\xff\"", "\"\\n\xff\"", "\"\xff\\n\"", `1 2`, `{} {}`, "\ufeff{}", deep(maxJSONDepth + 1), `'a'`, `[1]x`,
	} {
		c := canonical{out: []byte("before")}
		if c.json([]byte(text)) || string(c.out) != "before" {
			t.Errorf("%.40q is taken as JSON, out %q", text, c.out)
		}
	}
	if _, ok := canonicalOf(deep(maxJSONDepth)); !ok {
		t.Errorf("a depth of %d must be taken", maxJSONDepth)
	}
}

// spell writes a value in one of its many spellings.
func spell(t *rapid.T, b *strings.Builder, value any) {
	gap := func() { b.WriteString(rapid.SampledFrom([]string{"", "", " ", "\n\t"}).Draw(t, "gap")) }
	gap()
	switch v := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		b.WriteByte('{')
		for i, name := range rapid.Permutation(names).Draw(t, "order") {
			if i > 0 {
				b.WriteByte(',')
			}
			spell(t, b, name)
			b.WriteByte(':')
			spell(t, b, v[name])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, element := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			spell(t, b, element)
		}
		b.WriteByte(']')
	case string:
		spellString(t, b, v)
	case int64:
		zeros := 0
		if v != 0 {
			zeros = rapid.IntRange(0, 3).Draw(t, "zeros")
		}
		switch rapid.IntRange(0, 2).Draw(t, "number form") {
		case 0:
			fmt.Fprintf(b, "%d", v)
		case 1:
			fmt.Fprintf(b, "%d.0%s", v, strings.Repeat("0", zeros))
		default:
			fmt.Fprintf(b, "%d%se-%d", v, strings.Repeat("0", zeros), zeros)
		}
	default:
		fmt.Fprint(b, map[any]string{true: "true", false: "false", nil: "null"}[v])
	}
	gap()
}

func spellString(t *rapid.T, b *strings.Builder, v string) {
	b.WriteByte('"')
	for _, r := range v {
		switch {
		case r > 0xFFFF && rapid.Bool().Draw(t, "pair"):
			fmt.Fprintf(b, "\\u%04x\\u%04X", 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
		case r <= 0xFFFF && (r < ' ' || r == '"' || r == '\\' || rapid.Bool().Draw(t, "escape")):
			fmt.Fprintf(b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

func drawValue(t *rapid.T, depth int) any {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.Int64().Draw(t, "number")
	case 1:
		return rapid.SampledFrom([]any{true, false, nil}).Draw(t, "word")
	case 2, 3:
		return rapid.String().Draw(t, "string")
	case 4:
		array := []any{}
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			array = append(array, drawValue(t, depth-1))
		}
		return array
	}
	object := map[string]any{}
	for _, name := range rapid.SliceOfNDistinct(rapid.String(), 0, 12, rapid.ID[string]).Draw(t, "names") {
		object[name] = drawValue(t, depth-1)
	}
	return object
}

// Order, white space, escapes and number spelling leave no trace; the standard
// decoder says which values are equal.
func TestCanonicalProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := drawValue(t, 4)
		other := value
		if rapid.Bool().Draw(t, "another value") {
			other = drawValue(t, 4)
		}
		var one, two strings.Builder
		spell(t, &one, value)
		spell(t, &two, other)
		first, ok1 := canonicalOf(one.String())
		second, ok2 := canonicalOf(two.String())
		if !ok1 || !ok2 {
			t.Fatalf("not taken as JSON: %s, %s", one.String(), two.String())
		}
		equal := fmt.Sprintf("%#v", value) == fmt.Sprintf("%#v", other)
		if equal != (first == second) {
			t.Fatalf("equal values: %t, equal encodings: %t\n%s\n%s", equal, first == second, one.String(), two.String())
		}
	})
}

func FuzzCanonical(f *testing.F) {
	for _, text := range []string{`{"b":[1,2.50e3,null],"a":"\ud83d\ude00\n"}`, `[[[[]]]]`, `"\ud83d"`, `-0.0e-0`, "\"\xff\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var c canonical
		ok := c.json(text)
		if ok && !json.Valid(text) {
			t.Fatalf("%q is taken as JSON", text)
		}
		if !ok && json.Valid(text) && utf8.Valid(text) && bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) < maxJSONDepth {
			t.Fatalf("%q is not taken as JSON", text)
		}
		if !ok {
			return
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			t.Fatal(err)
		}
		if got, ok := canonicalOf(compact.String()); !ok || got != string(c.out) {
			t.Fatalf("%q changes when compacted: %q, %q", text, c.out, got)
		}
	})
}

func BenchmarkCanonical(b *testing.B) {
	small := []byte(`{"name":"events","schema":{"type":"struct","fields":[{"id":1,"name":"id","required":true,"type":"long"},` +
		`{"id":2,"name":"note","required":false,"type":"string"}]},"stage-create":false,"properties":{"owner":"team"}}`)
	var large bytes.Buffer
	large.WriteByte('[')
	for i := range 10000 {
		if i > 0 {
			large.WriteByte(',')
		}
		large.Write(small)
	}
	large.WriteByte(']')
	// What makes sorting move the most: unsorted objects in unsorted objects.
	nest := strings.Repeat(`{"b":`, maxJSONDepth-1) + "0" + strings.Repeat(`,"a":0}`, maxJSONDepth-1)
	nested := []byte("[" + strings.Repeat(nest+",", 300) + "0]")
	for name, text := range map[string][]byte{"small": small, "large": large.Bytes(), "nested": nested} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var c canonical
			for b.Loop() {
				c.out = c.out[:0]
				if !c.json(text) {
					b.Fatal("not taken as JSON")
				}
			}
		})
	}
}
