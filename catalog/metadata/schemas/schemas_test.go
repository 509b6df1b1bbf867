package schemas_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/schemas"
)

func schemaOf(fields string) rawjson.Value {
	return rawjson.Value(`{"type":"struct","schema-id":3,"fields":[` + fields + `]}`)
}

func mustBe(t testing.TB, err error, kind fault.Kind, text string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v\nwant %s: %s", err, kind.Type(), text)
	}
}

func TestParseRefusesWhatOthersCannotRead(t *testing.T) {
	t.Parallel()
	for fields, text := range map[string]string{
		`{"id":2147483648,"name":"a","type":"int","required":false}`:                                                   "field a has id 2147483648",
		`{"id":-1,"name":"a","type":"int","required":false}`:                                                           "field a has id -1",
		`{"id":1,"name":"a","type":"int","required":false,"initial-default":"5"}`:                                      "cannot parse 5 as a int value",
		`{"id":1,"name":"a","type":"long","required":false,"write-default":1.5}`:                                       "cannot parse 1.5 as a long value",
		`{"id":1,"name":"a","type":"boolean","required":false,"write-default":"true"}`:                                 "as a boolean value",
		`{"id":1,"name":"a","type":"double","required":false,"write-default":"1"}`:                                     "as a double value",
		`{"id":1,"name":"a","type":"date","required":false,"write-default":5}`:                                         "as a date value",
		`{"id":1,"name":"a","type":"decimal(4,2)","required":false,"initial-default":1.25}`:                            "as a decimal(4, 2) value",
		`{"id":1,"name":"a","type":{"type":"list","element-id":2,"element":"int"},"required":false}`:                   "element-required",
		`{"id":1,"name":"a","type":{"type":"map","key-id":2,"key":"int","value-id":3,"value":"int"},"required":false}`: "value-required",
		`{"id":1,"name":"","type":"int","required":false}`:                                                             "name",
		`{"id":1,"name":"a","type":"int"}`:                                                                             "required",
	} {
		_, err := schemas.Parse(schemaOf(fields))
		mustBe(t, err, fault.Invalid, text)
	}
	for _, text := range []string{`{}`, `{"type":"list","fields":[]}`, `{"type":"struct"}`, `{"type":"struct","fields":null}`, `7`} {
		if _, err := schemas.Parse(rawjson.Value(text)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, sound := range []string{
		`{"id":1,"name":"a","type":"int","required":false,"initial-default":5,"write-default":-7}`,
		`{"id":1,"name":"a","type":"double","required":false,"initial-default":5}`,
		`{"id":1,"name":"a","type":"boolean","required":false,"initial-default":false}`,
		`{"id":1,"name":"a","type":"decimal(4,2)","required":false,"initial-default":"1.25"}`,
		`{"id":1,"name":"a","type":"timestamptz","required":false,"initial-default":"2025-01-01T00:00:00+00:00","doc":null}`,
	} {
		if _, err := schemas.Parse(schemaOf(sound)); err != nil {
			t.Errorf("%s: %v", sound, err)
		}
	}
}

func TestFitNamesAllProblems(t *testing.T) {
	t.Parallel()
	schema, err := schemas.Parse(schemaOf(`{"id":1,"name":"s","required":true,"type":{"type":"struct","fields":[
		{"id":2,"name":"v","type":"variant","required":false},{"id":3,"name":"d","type":"long","required":false,"initial-default":7}]}},
		{"id":4,"name":"g","type":"geometry","required":false},{"id":5,"name":"w","type":"long","required":false,"write-default":1}`))
	if err != nil {
		t.Fatal(err)
	}
	mustBe(t, schemas.Fit(schema, 2), fault.Invalid, "Invalid schema for v2:\n"+
		"- Invalid type for s.v: variant is not supported until v3\n"+
		"- Invalid initial default for s.d: non-null default (7) is not supported until v3\n"+
		"- Invalid type for g: geometry is not supported until v3")
	if err := schemas.Fit(schema, 3); err != nil {
		t.Error(err)
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	const field = `{"id":1,"name":"a","type":"long","required":true}`
	shape := func(text rawjson.Value) schemas.Shape {
		shape, err := schemas.ShapeOf(text)
		if err != nil {
			t.Fatal(err)
		}
		return shape
	}
	base := shape(schemaOf(field))
	for _, same := range []string{
		`{"fields":[` + field + `],"type":"struct"}`,
		`{"type":"struct","schema-id":9,"identifier-field-ids":[],"fields":[{"required":true,"type":"long","doc":null,"name":"a","id":1}]}`,
	} {
		if !base.Same(shape(rawjson.Value(same))) {
			t.Errorf("%s is the same", same)
		}
	}
	for _, other := range []string{
		`{"id":2,"name":"a","type":"long","required":true}`, `{"id":1,"name":"b","type":"long","required":true}`,
		`{"id":1,"name":"a","type":"int","required":true}`, `{"id":1,"name":"a","type":"long","required":false}`,
		`{"id":1,"name":"a","type":"long","required":true,"doc":"d"}`, `{"id":1,"name":"a","type":"long","required":true,"new":1}`,
		field + `,{"id":2,"name":"b","type":"long","required":true}`, ``,
	} {
		if base.Same(shape(schemaOf(other))) {
			t.Errorf("%s is another", other)
		}
	}
	identified := func(ids string) schemas.Shape {
		return shape(rawjson.Value(`{"type":"struct","identifier-field-ids":[` + ids + `],"fields":[` + field + `]}`))
	}
	if !identified("2,10,2").Same(identified("10,2")) || identified("2").Same(identified("10")) || identified("2").Same(base) {
		t.Error("identifier fields are a set")
	}
	list := func(name, value string) schemas.Shape {
		return shape(schemaOf(`{"id":1,"name":"a","required":true,"initial-default":` + value + `,"type":{"type":"list","element-id":2,"element":"` + name + `","element-required":true}}`))
	}
	if !list("decimal(9,2)", `["x y"]`).Same(list("decimal(9, 2)", `["x y"]`)) {
		t.Error("spaces in a type's name mean nothing")
	}
	if list("int", `{"type":"x y"}`).Same(list("int", `{"type":"xy"}`)) {
		t.Error("spaces in a value do")
	}
	if _, err := schemas.ShapeOf(rawjson.Value(`{`)); !fault.Is(err, fault.Invalid) {
		t.Errorf("got %v", err)
	}
}

func TestNumberRefuses(t *testing.T) {
	t.Parallel()
	for text, part := range map[string]string{
		`7`:                              "expected a JSON object",
		`{"type":"struct"}`:              "fields: expected an array",
		string(schemaOf(`{"name":"a"}`)): "id: expected an integer, got nothing",
		string(schemaOf(`7`)):            "fields: element 0",
		string(schemaOf(`{"id":1,"name":"a","type":{"type":7}}`)):                                                "expected a string",
		string(schemaOf(`{"id":1,"name":"a","type":{"type":"list"}}`)):                                           "element-id",
		string(schemaOf(`{"id":1,"name":"a","type":{"type":"map"}}`)):                                            "key-id",
		string(schemaOf(`{"id":1,"name":"a","type":{"type":"map","key-id":2}}`)):                                 "value-id",
		string(schemaOf(`{"id":1,"name":"a","type":{"type":"map","key-id":2,"value-id":3,"key":{"type":"x"}}}`)): `unknown nested type "x"`,
	} {
		_, err := schemas.Number(rawjson.Value(text))
		mustBe(t, err, fault.Invalid, part)
	}
	_, err := schemas.Number(rawjson.Value(`{"type":"struct","identifier-field-ids":["x"],"fields":[]}`))
	mustBe(t, err, fault.IllegalArgument, "identifier-field-ids: element 0")
}

// Whatever ids a request uses, the fresh ones are 1 to n, each once, and lead back to the right columns.
func TestNumberIsABijection(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.IntRange(0, 1<<31-1), 1, 30, rapid.ID[int]).Draw(t, "ids")
		var text string
		next := func() int {
			id := ids[0]
			ids = ids[1:]
			return id
		}
		count := len(ids)
		for len(ids) > 0 {
			id := next()
			kind := `"int"`
			if len(ids) > 0 && rapid.Bool().Draw(t, "nest") {
				kind = fmt.Sprintf(`{"type":"list","element-id":%d,"element":"int","element-required":true}`, next())
			}
			if text != "" {
				text += ","
			}
			text += fmt.Sprintf(`{"id":%d,"name":"c%d","type":%s,"required":true}`, id, id, kind)
		}
		numbered, err := schemas.Number(schemaOf(text))
		if err != nil {
			t.Fatal(err)
		}
		schema, err := schemas.Parse(numbered.Text)
		if err != nil {
			t.Fatal(err)
		}
		if numbered.Last != count || len(numbered.IDs) != count || schema.HighestFieldID() != count {
			t.Fatalf("%d fields got ids up to %d", count, numbered.Last)
		}
		for _, field := range schema.Fields() {
			var old int
			if _, err := fmt.Sscanf(field.Name, "c%d", &old); err != nil {
				t.Fatal(err)
			}
			if numbered.IDs[old] != field.ID {
				t.Fatalf("column %s has id %d, but %d leads to %d", field.Name, field.ID, old, numbered.IDs[old])
			}
		}
	})
}
