package document_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator/document"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"an empty file", "", "api:1: the document is empty"},
		{"white space", " \n\n", "api:1: the document is empty"},
		{"comments alone", "# nothing\n", "api:1: the document is empty"},
		{"a null document", "---\n~\n", "api:2: the document is empty"},
		{"bytes that are not UTF-8", "openapi: 3.1.1\ninfo: \xff\n", "api:2: the document is not UTF-8"},
		{"text that is no object", "Hello.\n", "api:1:1: not an OpenAPI document: its outermost value is a string, not an object"},
		{"a list", "# x\n- a\n", "api:2:1: not an OpenAPI document: its outermost value is an array, not an object"},

		{"broken YAML", "openapi: 3.1.1\ninfo: {title: T\npaths: x: y\n", "api:2: not valid YAML: did not find expected ',' or '}'"},
		{"an unknown anchor", "openapi: 3.1.1\n\ninfo: *nowhere\n", "api:3: not valid YAML: unknown anchor 'nowhere' referenced"},
		{"a missing bracket", "openapi: 3.1.1\npaths: ]\n", "api:2: not valid YAML: did not find expected node content"},
		{"a tab", "openapi: 3.1.1\n\tinfo: x\n", "api:2: not valid YAML: found a tab character that violates indentation"},
		{"a fault on the first line", "openapi: 3.1.1: x\n", "api:1: not valid YAML: mapping values are not allowed in this context"},
		{"a control character", "openapi: 3.1.1\n\ninfo: \x01\n", "api:3: not valid YAML: control characters are not allowed"},
		{"two documents", "openapi: 3.1.1\n---\nopenapi: 3.1.1\n", "api:2:1: the file holds more than one YAML document"},

		{"truncated JSON", "{\"openapi\":\n \"3.1.1\",\n", "api:3: not valid JSON: unexpected end of JSON input"},
		{"broken JSON", "{\"openapi\": \"3.1.1\",\n \"info\": ]}", "api:2:10: not valid JSON: invalid character ']' looking for beginning of value"},
		{"a JSON number out of range", "{\"openapi\": \"3.1.1\",\n \"info\": 1e999}", "api:2:10: the number 1e999 is out of range"},
		{"a duplicate key in JSON", "{\"openapi\": \"3.1.1\", \"info\": {},\n \"paths\": {},\n \"info\": {}}", `api:3:2: duplicate key "info", first on line 1`},

		{"a duplicate key", "paths:\n  /a: {}\n  /b: {}\n  /a: {}\n", `api:4:3: duplicate key "/a", first on line 2 (at #/paths)`},
		{"a status code twice, as a number and a string", "a~b/c:\n  200: {}\n  '200': {}\n", `api:3:3: duplicate key "200", first on line 2 (at #/a~0b~1c)`},
		{"a key that is no string", "paths:\n  ? [a]\n  : {}\n", "api:2:5: a key must be a string (at #/paths)"},
		{"a key that is an alias of a list", "a: &a [1]\n*a : x\n", "api:2:1: a key must be a string"},
		{"a null key", "paths:\n  ~: {}\n", "api:2:3: a key must be a string (at #/paths)"},
		{"a circular alias", "x: &loop\n  a:\n    - *loop\n", "api:3:7: circular alias: *loop stands inside the value it names (line 1) (at #/x/a/0)"},
		{"a circular merge", "x: &self\n  <<: *self\n", "api:2:7: circular alias: *self stands inside the value it names (line 1) (at #/x/<<)"},
		{"a merge of a string", "x:\n  <<: text\n", "api:2:7: only an object can be merged, not a string (at #/x/<<)"},
		{"a merge of null", "x: {<<: [{}, ~]}\n", "api:1:9: only an object can be merged, not null (at #/x/<<)"},
		{"a tag of its own", "x: !secret x\n", "api:1:4: the tag !secret has no counterpart in JSON (at #/x)"},
		{"a tag that does not fit", "x: !!int x\n", `api:1:4: "x" is not a value of the tag !!int (at #/x)`},
		{"a set", "x: !!set {a}\n", "api:1:4: an object cannot have the tag !!set (at #/x)"},
		{"a tagged list", "x: !mine [a]\n", "api:1:4: an array cannot have the tag !mine (at #/x)"},
		{"an infinity", "x: [1, -.inf]\n", "api:1:8: JSON has no number -.inf (at #/x/1)"},
		{
			"deep nesting", "x: " + strings.Repeat("[", 400) + strings.Repeat("]", 400),
			"api:1:254: the document is nested deeper than 250 levels (at #/x" + strings.Repeat("/0", 250) + ")",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, err := document.Parse("api", []byte(c.source))
			if d != nil {
				t.Error("a document beside an error")
			}
			var fault *document.Error
			if !errors.As(err, &fault) {
				t.Fatalf("error %v is not a *document.Error", err)
			}
			if err.Error() != c.want {
				t.Errorf("error\n got %s\nwant %s", err, c.want)
			}
		})
	}
}

// A few hundred bytes of nested aliases stand for billions of values.
func TestParseRefusesExplodingAliases(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	source.WriteString("x-0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&source, "x-%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	_, err := document.Parse("api", []byte(source.String()))
	if err == nil || !strings.Contains(err.Error(), "the document's aliases stand for more than 100000 values") {
		t.Errorf("error = %v", err)
	}
}

// Size alone is no fault: large interfaces exist.
func TestParseTakesLargeDocuments(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api", []byte("enum: ["+strings.Repeat("1,", 110_000)+"1]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(d.Root.Get("enum").Items); n != 110_001 {
		t.Errorf("%d elements", n)
	}
}

func TestParseReadsTheSameFromEveryNotation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"numbers keep their digits", "x: [1, -0.50, 9007199254740993, 1e3]", `{"x":[1,-0.50,9007199254740993,1e3]}`},
		{"numbers that JSON spells in another way", "x: [0x1F, 0o17, 1_000, +1, .5, 1., -.5e1]", `{"x":[31,15,1000,1,0.5,1,-5]}`},
		{"quoted values are strings", `x: ["1", 'true', "null", '~', "<<"]`, `{"x":["1","true","null","~","<<"]}`},
		{"words of YAML 1.1 are strings", "x: [on, No, y]", `{"x":["on","No","y"]}`},
		{"unquoted dates are strings", "x: [2026-08-21, 2026-08-21T10:00:00Z]", `{"x":["2026-08-21","2026-08-21T10:00:00Z"]}`},
		{"booleans and nulls have one spelling", "x: [True, FALSE, ~, Null, ]", `{"x":[true,false,null,null]}`},
		{"explicit tags", `x: [!!str 1, !!int "2", !!float 3, !!bool "true", !!null ""]`, `{"x":["1",2,3,true,null]}`},
		{"a merge sign as a value is a string", "x: [<<]", `{"x":["<<"]}`},
		{"block and folded text", "x:\n  - |\n    a\n    b\n  - >-\n    a\n    b\n", `{"x":["a\nb\n","a b"]}`},
		{"keys are strings", "200: a\ntrue: b\n2026-08-21: c\n", `{"200":"a","true":"b","2026-08-21":"c"}`},
		{"aliases", "a: &a {x: &x [1]}\nb: *a\nc: *x\n", `{"a":{"x":[1]},"b":{"x":[1]},"c":[1]}`},
		{"aliases as keys", "a: &a k\n*a : 1\n", `{"a":"k","k":1}`},
		{
			"merge keys: own members and earlier sources win", "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {w: 0, <<: [*a, *b], x: 3}\n",
			`{"a":{"x":1,"y":1},"b":{"y":2,"z":2},"c":{"w":0,"y":1,"z":2,"x":3}}`,
		},
		{"a merge of a merge", "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}\n", `{"a":{"x":1},"b":{"x":1,"y":2},"c":{"x":1,"y":2}}`},
		{"a quoted merge sign is a key", "a: {'<<': {x: 1}}", `{"a":{"<<":{"x":1}}}`},
		{"flow YAML in braces", "{a: [b, c], # no JSON\n d: e}", `{"a":["b","c"],"d":"e"}`},
		{"a byte order mark", "\ufeffa: b\n", `{"a":"b"}`},
		{"JSON with tabs, surrogate pairs and a byte order mark", "\ufeff{\n\t\"a\": \"\\ud83d\\ude00\",\r\n\t\"<<\": -1.50E+2}", `{"a":"😀","<<":-1.50E+2}`},
		{"JSON with a long key", `{"` + strings.Repeat("L", 1100) + `": null}`, `{"` + strings.Repeat("L", 1100) + `":null}`},
		{"all that JSON has", `{"a": [{}, [], "", 0, true, false, null]}`, `{"a":[{},[],"",0,true,false,null]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, err := document.Parse("api", []byte(c.source))
			if err != nil {
				t.Fatal(err)
			}
			// encoding/json escapes what HTML minds.
			got := strings.ReplaceAll(string(d.Root.JSON()), `\u003c`, "<")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A copy is made for each alias, so that a repair of one place changes no other.
func TestParseSharesNothing(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api", []byte("a: &a {x: {}}\nb: *a\nc: {<<: *a}\nd: {<<: *a}\n"))
	if err != nil {
		t.Fatal(err)
	}
	d.Root.At("b", "x").Set("changed", document.NewBool(true))
	d.Root.At("c", "x").Set("changed", document.NewBool(false))
	if got, want := string(d.Root.JSON()), `{"a":{"x":{}},"b":{"x":{"changed":true}},"c":{"x":{"changed":false}},"d":{"x":{}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Every node knows where it begins, in JSON as in YAML.
func TestParseRemembersPlaces(t *testing.T) {
	t.Parallel()
	places := map[string][]string{
		"a:\n  b: [1,\n    x]\nc: null\n":                              {"/a 2:3", "/a/b 2:6", "/a/b/0 2:7", "/a/b/1 3:5", "/c 4:4"},
		"{\"a\": {\n\t\"b\" : [1,\n\n  \"x\"\r\n]},\n\n \"c\":\nnull}": {"/a 1:7", "/a/b 2:8", "/a/b/0 2:9", "/a/b/1 4:3", "/c 8:1"},
	}
	for source, wants := range places {
		d, err := document.Parse("api", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			pointer, _, _ := strings.Cut(want, " ")
			n := d.Lookup(document.Pointer(pointer))
			if got := fmt.Sprintf("%s %d:%d", pointer, n.Line, n.Column); got != want {
				t.Errorf("%q: got %s, want %s", source, got, want)
			}
		}
	}
}

func TestErrorfNamesTheNearestPlace(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api", []byte("a:\n  '': [x, {b: y}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	d.Root.At("a", "").Items[1].Set("made", document.NewString("by a repair"))
	for pointer, want := range map[document.Pointer]string{
		"":            "api:1:1: wrong",
		"/a//1/b":     "api:2:15: wrong (at #/a//1/b)",
		"/a//1/made":  "api:2:11: wrong (at #/a//1/made)",
		"/a//7/c":     "api:2:7: wrong (at #/a//7/c)",
		"/nowhere/at": "api:1:1: wrong (at #/nowhere/at)",
	} {
		if got := d.Errorf(pointer, "%s", "wrong").Error(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
