package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"testing"
)

// missing says where got lacks something of want, which is data as
// encoding/json decodes it with UseNumber. Objects of got may have more members;
// arrays have the same length; scalars are equal, numbers by their exact value;
// null is a value. Nothing missing gives an empty string.
func missing(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s: want an object, got %v", at, got)
		}
		for _, name := range sortedKeys(want) {
			member, has := object[name]
			if !has {
				return fmt.Sprintf("%s/%s is missing; it was %v", at, name, want[name])
			}
			if m := missing(at+"/"+name, want[name], member); m != "" {
				return m
			}
		}
		return ""
	case []any:
		array, ok := got.([]any)
		if !ok || len(array) != len(want) {
			return fmt.Sprintf("%s: want %d elements, got %v", at, len(want), got)
		}
		for i := range want {
			if m := missing(fmt.Sprintf("%s/%d", at, i), want[i], array[i]); m != "" {
				return m
			}
		}
		return ""
	case json.Number:
		if number, ok := got.(json.Number); ok && sameNumber(want, number) {
			return ""
		}
	default:
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf("%s: want %#v, got %#v", at, want, got)
}

func sameNumber(a, b json.Number) bool {
	x, okX := new(big.Rat).SetString(a.String())
	y, okY := new(big.Rat).SetString(b.String())
	return okX && okY && x.Cmp(y) == 0
}

func decodeJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	err := decoder.Decode(&v)
	return v, err
}

func encodeJSON(v any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

func TestMissingSeesLosses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want, got string
		lost      bool
	}{
		{`{"a":1,"b":null}`, `{"a":1.0,"b":null,"c":2}`, false},
		{`{"a":null}`, `{}`, true},
		{`{"a":{}}`, `{"a":null}`, true},
		{`[1,2]`, `[1,2,3]`, true},
		{`9007199254740993`, `9007199254740992`, true},
		{`"1"`, `1`, true},
		{`{"a":[{"b":"x"}]}`, `{"a":[{"b":"x","c":1}]}`, false},
	} {
		want, _ := decodeJSON([]byte(c.want))
		got, _ := decodeJSON([]byte(c.got))
		if m := missing("", want, got); (m != "") != c.lost {
			t.Errorf("%s in %s: %q", c.want, c.got, m)
		}
	}
}
