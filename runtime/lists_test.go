package runtime_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/oapi-codegen/nullable"

	"github.com/onceberg/onceberg/runtime"
)

// part has what generated models consist of.
type part struct {
	List     []string                    `json:"list"`
	Map      map[string]string           `json:"map"`
	Optional *[]int64                    `json:"optional,omitempty"`
	Omitted  []part                      `json:"omitted,omitempty"`
	Zero     map[string]part             `json:"zero,omitzero"`
	Null     nullable.Nullable[[]string] `json:"null"`
	Absent   nullable.Nullable[[]part]   `json:"absent,omitempty"`
	Raw      json.RawMessage             `json:"raw"`
	Bytes    []byte                      `json:"bytes"`
	Any      any                         `json:"any"`
	Hidden   []string                    `json:"-"`
	text     []string
}

const (
	emptyPart = `{"list":[],"map":{},"null":null,"raw":null,"bytes":null,"any":null}`
	nullsPart = `{"list":[],"map":{},"null":[],"absent":[` + emptyPart + `],"raw":null,"bytes":null,"any":null}`
)

// tree holds itself, by every way in which a type can.
type tree struct {
	Below  []tree          `json:"below"`
	Named  map[string]tree `json:"named"`
	Parent *tree           `json:"parent,omitempty"`
	Leaves []string        `json:"leaves"`
}

// selfMade encodes itself, and means something by its nil list.
type selfMade struct{ List []string }

func (s selfMade) MarshalJSON() ([]byte, error) {
	if s.List == nil {
		return []byte(`"none"`), nil
	}
	return []byte(`"some"`), nil
}

type selfMadeList []string

func (s selfMadeList) MarshalText() ([]byte, error) {
	if s == nil {
		return []byte("none"), nil
	}
	return []byte("some"), nil
}

// nilLists are values that hold nil lists and maps, and their text.
var nilLists = map[string]struct {
	value func() any
	want  string
}{
	"nothing":              {func() any { return nil }, `null`},
	"a list":               {func() any { return []string(nil) }, `[]`},
	"a map":                {func() any { return map[string]int64(nil) }, `{}`},
	"no pointer":           {func() any { return (*part)(nil) }, `null`},
	"a pointer to a list":  {func() any { return new([]string) }, `[]`},
	"raw JSON":             {func() any { return json.RawMessage(nil) }, `null`},
	"bytes":                {func() any { return []byte(nil) }, `null`},
	"members":              {func() any { return part{text: []string{"kept"}} }, emptyPart},
	"members by a pointer": {func() any { return &part{} }, emptyPart},
	"an optional list": {func() any {
		return struct {
			L *[]string `json:"l,omitempty"`
		}{new([]string)}
	}, `{"l":[]}`},
	"elements":             {func() any { return [][]string{{"a"}, nil, {}} }, `[["a"],[],[]]`},
	"elements that are":    {func() any { return []part{{}} }, `[` + emptyPart + `]`},
	"elements or null":     {func() any { return []*[]string{nil, new([]string)} }, `[null,[]]`},
	"entries":              {func() any { return map[string][]string{"a": nil, "b": {"c"}} }, `{"a":[],"b":["c"]}`},
	"entries that are":     {func() any { return map[string]part{"a": {}} }, `{"a":` + emptyPart + `}`},
	"entries or null":      {func() any { return map[string]*[]string{"a": nil, "b": new([]string)} }, `{"a":null,"b":[]}`},
	"what may be null":     {func() any { return nullable.NewNullNullable[[]string]() }, `null`},
	"what could have been": {func() any { return nullable.NewNullableWithValue[[]string](nil) }, `[]`},
	"in what may be null": {func() any {
		return part{Null: nullable.NewNullableWithValue[[]string](nil), Absent: nullable.NewNullableWithValue([]part{{}})}
	}, nullsPart},
	"in what may be anything": {func() any { return map[string]any{"a": []string(nil)} }, `{"a":null}`},
	"what encodes itself":     {func() any { return []any{selfMade{}, nil} }, `["none",null]`},
	"beside it": {func() any {
		return struct {
			L []string
			S selfMade
			T selfMadeList
			P *selfMade
		}{}
	}, `{"L":[],"S":"none","T":"none","P":null}`},
	"deep": {func() any {
		return &tree{Named: map[string]tree{"a": {Parent: &tree{Below: []tree{{}}}}}, Leaves: []string{"<&>", "null"}}
	}, `{"below":[],"named":{"a":{"below":[],"named":{},"parent":{"below":[{"below":[],"named":{},"leaves":[]}],"named":{},"leaves":[]},` +
		`"leaves":[]}},"leaves":["<&>","null"]}`},
	"nothing lacks": {func() any { return []any{map[string][]string{"null": {"x", "null"}}, nil, 1} }, `[{"null":["x","null"]},null,1]`},
}

// A nil list is an empty one on the wire, a nil map too, and null what may be
// null. The value does not change.
func TestNilLists(t *testing.T) {
	t.Parallel()
	for name, c := range nilLists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value := c.value()
			for range 2 {
				text, err := runtime.EncodeJSON(value)
				if err != nil || string(text) != c.want+"\n" {
					t.Errorf("%v\ngot  %s\nwant %s", err, text, c.want)
				}
			}
			if !reflect.DeepEqual(value, c.value()) {
				t.Errorf("the value has become %+v", value)
			}
			if part, err := runtime.MarshalJSON(value); err != nil || string(part) != c.want {
				t.Errorf("as a part: %v, %s", err, part)
			}
		})
	}
}

// A value that contains itself is an error still, and so is one that is no JSON.
func TestEncodeJSONRefuses(t *testing.T) {
	t.Parallel()
	endless := &tree{}
	endless.Parent = endless
	for name, value := range map[string]any{"endless": endless, "a function": []any{nil, func() {}}} {
		if text, err := runtime.EncodeJSON(value); err == nil || text != nil {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
}

// Handlers share what they answer with.
func TestNilListsAtOnce(t *testing.T) {
	t.Parallel()
	shared := &tree{Below: []tree{{}, {}}, Named: map[string]tree{"a": {}}}
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if text, err := runtime.EncodeJSON(shared); err != nil || len(text) == 0 {
				t.Error(err)
			}
		})
	}
}
