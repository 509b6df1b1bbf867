package runtime_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/runtime"
)

// commit describes a body with all that a shape can say.
var commit = runtime.Shapes{
	"Commit": {
		Types:    runtime.JSONObject,
		Required: []string{"requirements", "name", "note"},
		Members: map[string]string{
			"requirements": "[]Requirement", "name": "string", "note": "string?", "size": "integer", "ratio": "number",
			"properties": "Properties", "either": "either", "next": "MaybeCommit", "raw": "", "flag": "boolean", "tree": "Tree",
		},
	},
	"[]Requirement": {Types: runtime.JSONArray, Items: "Requirement"},
	"Requirement": {
		Types: runtime.JSONObject, Discriminator: "type",
		Variants: map[string]string{"ref": "Ref", "uuid": "UUID", "any": "", "deep": "Deeper"},
	},
	"Ref":         {Types: runtime.JSONObject, Required: []string{"type", "ref"}, Members: map[string]string{"type": "string", "ref": "string", "id": "integer?"}},
	"UUID":        {Types: runtime.JSONObject, Required: []string{"uuid"}, Members: map[string]string{"type": "string", "uuid": "string"}, Open: true, Values: "integer"},
	"Deeper":      {Types: runtime.JSONObject, Discriminator: "kind", Variants: map[string]string{"ref": "Ref"}},
	"Properties":  {Types: runtime.JSONObject, Values: "string", Open: true},
	"MaybeCommit": {NullOr: "Commit"},
	"Tree":        {Types: runtime.JSONArray, Items: "Tree"},
	"string":      {Types: runtime.JSONString},
	"string?":     {Types: runtime.JSONString | runtime.JSONNull},
	"integer":     {Types: runtime.JSONInteger},
	"integer?":    {Types: runtime.JSONInteger | runtime.JSONNull},
	"number":      {Types: runtime.JSONNumber},
	"boolean":     {Types: runtime.JSONBoolean},
	"either":      {Types: runtime.JSONString | runtime.JSONArray},
}

func body(members string) string { return `{"requirements":[],"name":"n","note":null` + members + `}` }

func TestShapesAdmit(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		body(""),
		" " + strings.ReplaceAll(body(`,"size":9223372036854775807,"ratio":1,"flag":false`), ",", " ,\n\t"),
		body(`,"ratio":-1.5e3,"size":-0,"either":"x","raw":{"a":[1,{"b":null}]},"unknown":[{}]`),
		body(`,"either":[1,null],"properties":{"a":"b","":"\u00fc"},"next":null`),
		body(`,"next":` + body(`,"next":`+body(""))),
		body(`,"size":null,"flag":null,"properties":null,"tree":null`), // null stands for absent
		body(`,"tree":[[],[[[]]],[]]`),
		`{"note":"x","name":"","requirements":[{"ref":"main","type":"ref"},{"id":null,"type":"ref","ref":""},{"type":"any","x":1},{"uuid":"u","other":1,"type":"uuid"}]}`,
		`{"n\u006fte":"x","name":"","requirements":[{"kind":"ref","type":"deep","ref":"r"}]}`,
	} {
		got, err := commit.Check("Commit", []byte(text))
		if err != nil || string(got) != text {
			t.Errorf("%s: %v, %s", text, err, got)
		}
	}
	for _, name := range []string{"", "nobody knows it"} {
		if got, err := commit.Check(name, []byte("[1]")); err != nil || string(got) != "[1]" {
			t.Errorf("%q: %v, %s", name, err, got)
		}
	}
}

func TestShapesRefuse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`null`:                           "Request body must not be null",
		`[]`:                             "Request body must be an object, not an array",
		`"x"`:                            "Request body must be an object, not a string",
		`{}`:                             "Field /requirements is required",
		`{"requirements":[],"note":""}`:  "Field /name is required",
		`{"requirements":[],"name":"n"}`: "Field /note is required",
		`{"requirements":null,"name":"","note":""}`: "Field /requirements is required and must not be null",
		body(`,"name":1`):                             "Field /name must be a string, not an integer",
		body(`,"note":true`):                          "Field /note must be a string or null, not a boolean",
		body(`,"size":1.0`):                           "Field /size must be an integer, not a number",
		body(`,"size":1e3`):                           "Field /size must be an integer, not a number",
		body(`,"size":9223372036854775808`):           "Field /size is out of range",
		body(`,"ratio":"1"`):                          "Field /ratio must be a number, not a string",
		body(`,"either":{}`):                          "Field /either must be a string or an array, not an object",
		body(`,"properties":{"a":"b","c~/d":1}`):      "Field /properties/c~0~1d must be a string, not an integer",
		body(`,"properties":{"a":null}`):              "Field /properties/a must not be null",
		body(`,"properties":{"\u00fc\"":[]}`):         `Field /properties/ü" must be a string, not an array`,
		body(`,"next":{}`):                            "Field /next/requirements is required",
		body(`,"next":` + body(`,"next":{"name":1}`)): "Field /next/next/name must be a string, not an integer",
		body(`,"tree":[[],[[],[null]]]`):              "Field /tree/1/1/0 must not be null",
		body(`,"requirements":[{}]`):                  "Field /requirements/0/type is required",
		body(`,"requirements":[{"type":null}]`):       "Field /requirements/0/type must be a string, not null",
		body(`,"requirements":[{"type":"nothing"}]`):  `Field /requirements/0/type has the unknown value "nothing"`,
		body(`,"requirements":[{"type":"uuid","uuid":"u"},{"ref":1,"type":"ref"}]`): "Field /requirements/1/ref must be a string, not an integer",
		body(`,"requirements":[{"type":"uuid","uuid":"u","x":"y"}]`):                "Field /requirements/0/x must be an integer, not a string",
		body(`,"requirements":[{"type":"deep","kind":"x"}]`):                        `Field /requirements/0/kind has the unknown value "x"`,
		body(`,"requirements":[{"type":"deep","kind":"ref"}]`):                      "Field /requirements/0/ref is required",
		body(`,"requirements":[null]`):                                              "Field /requirements/0 must not be null",
		body(`,"requirements":{}`):                                                  "Field /requirements must be an array, not an object",
	} {
		_, err := commit.Check("Commit", []byte(text))
		var e *runtime.Error
		if !errors.As(err, &e) || e.Status != 400 || e.Message != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// encoding/json takes a member for a field of another case. Such a member is
// unknown, and must not reach the field, wherever it stands.
func TestShapesHideMembersOfAnotherCase(t *testing.T) {
	t.Parallel()
	for _, members := range []string{
		`"NAME":1,"name":"n","note":"x","requirements":[]`,
		`"name":"n","Name":1,"note":"x","requirements":[]`,
		`"name":"n","note":"x","requirements":[],"naMe":{"name":[]}`,
		`"NAME":1,"NaME":2,"name":"n","Note":{},"note":"x","REQUIREMENTS":null,"requirements":[],"nAME":3,"NAMe":"x,}"`,
		`"name":"n","note":"x","requirements":[],"requirementſ":null`, // U+017F is an s in another case
		`"N\u0041ME":1 , "name" : "n" , "note":"x","requirements":[]`,
	} {
		text := "{" + members + "}"
		got, err := commit.Check("Commit", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var value struct {
			Name, Note   string
			Requirements []json.RawMessage
		}
		if err := json.Unmarshal(got, &value); err != nil || value.Name != "n" || value.Note != "x" || value.Requirements == nil {
			t.Errorf("%s became %s: %+v, %v", text, got, value, err)
		}
		if len(got) != len(text) {
			t.Errorf("%s became %s", text, got)
		}
	}
	// Members without a name in the schema are data, whatever their case.
	text := body(`,"properties":{"NAME":"a","name":"b"},"requirements":[{"type":"uuid","uuid":"u","UUID":1}]`)
	if got, err := commit.Check("Commit", []byte(text)); err != nil || string(got) != text {
		t.Errorf("%s: %v, %s", text, err, got)
	}
}

// A document may require more members than one word has bits.
func TestShapesWithManyRequiredMembers(t *testing.T) {
	t.Parallel()
	wide := runtime.Shape{Types: runtime.JSONObject, Members: map[string]string{}}
	var text bytes.Buffer
	for i := range 100 {
		name := strings.Repeat("m", i+1)
		wide.Required = append(wide.Required, name)
		text.WriteString(`,"` + name + `":` + "1")
	}
	shapes := runtime.Shapes{"Wide": wide}
	whole := "{" + text.String()[1:] + "}"
	if _, err := shapes.Check("Wide", []byte(whole)); err != nil {
		t.Error(err)
	}
	for _, i := range []int{0, 63, 64, 99} {
		missing := strings.Replace(whole, `"`+wide.Required[i]+`":`, `"other":`, 1)
		if _, err := shapes.Check("Wide", []byte(missing)); err == nil || !strings.Contains(err.Error(), "/"+wide.Required[i]+" is required") {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// An object is read ahead for its discriminator, and so is what it contains. That
// must not be a way to keep a server busy.
func TestShapesBoundReadingAhead(t *testing.T) {
	t.Parallel()
	shapes := runtime.Shapes{
		"Node":  {Types: runtime.JSONObject, Discriminator: "type", Variants: map[string]string{"n": "Inner"}},
		"Inner": {Types: runtime.JSONObject, Members: map[string]string{"type": "", "child": "Node"}},
	}
	nest := func(depth int) []byte {
		return []byte(strings.Repeat(`{"child":`, depth) + `{"type":"n"}` + strings.Repeat(`,"type":"n"}`, depth))
	}
	if _, err := shapes.Check("Node", nest(100)); err != nil {
		t.Error(err)
	}
	if _, err := shapes.Check("Node", nest(9000)); err == nil || !strings.Contains(err.Error(), "nests too deep") {
		t.Errorf("%.200v", err)
	}
}

// FuzzShapesCheck looks for text that makes the check panic, or that it changes
// into something else than JSON of the same known members.
func FuzzShapesCheck(f *testing.F) {
	for _, seed := range []string{
		body(`,"size":1,"properties":{"a":"b"}`), body(`,"NAME":{"x":[1,2,"}"]}`), `{"requirements":[{"type":"ref","ref":"\ud800"}],"name":"n","note":""}`,
		`null`, ` [ ] `, `"\\\""`, `{"":{"":[{}]}}`, body(`,"tree":[[[]],[]]`), `{"name":"a","name":1}`, `-0.0e-1`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		before := bytes.Clone(text)
		got, err := commit.Check("Commit", text)
		if !bytes.Equal(text, before) {
			t.Fatal("the text was changed")
		}
		if err != nil {
			var e *runtime.Error
			if !errors.As(err, &e) || e.Status != 400 {
				t.Fatalf("%v", err)
			}
			return
		}
		var sent, seen map[string]json.RawMessage
		if err := json.Unmarshal(text, &sent); err != nil {
			t.Fatalf("admitted %s: %v", text, err)
		}
		if err := json.Unmarshal(got, &seen); err != nil {
			t.Fatalf("%s became %s: %v", text, got, err)
		}
		for name := range commit["Commit"].Members {
			if name != "requirements" && name != "next" && !bytes.Equal(sent[name], seen[name]) {
				t.Errorf("%s: %s became %s", name, sent[name], seen[name])
			}
		}
	})
}
