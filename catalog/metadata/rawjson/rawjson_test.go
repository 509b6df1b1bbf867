package rawjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

func TestObjectKeepsWhatNobodyTouches(t *testing.T) {
	t.Parallel()
	object, err := rawjson.Parse([]byte(`{ "big": 9223372036854775807, "odd":1.0E+2, "e":"\u00e9<>", "n":null, "o": {"a" : [1, 2]} }`))
	if err != nil {
		t.Fatal(err)
	}
	object.Set("new", rawjson.OfString("emoji \U0001F600 & <b>"))
	object.Set("odd", rawjson.OfInt(7))
	want := `{"big":9223372036854775807,"odd":7,"e":"\u00e9<>","n":null,"o":{"a" : [1, 2]},"new":"emoji 😀 & <b>"}`
	if got := string(object.Text()); got != want {
		t.Errorf("text\n got %s\nwant %s", got, want)
	}
	if object.Get("n") != nil || !object.Has("n") || object.Get("absent") != nil {
		t.Error("a null member must read as absent, and be told from one that is not there by Has")
	}
}

func TestObjectLastOfDuplicatesCounts(t *testing.T) {
	t.Parallel()
	object, err := rawjson.Parse([]byte(`{"a":1,"b":2,"\u0061":3}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(object.Text()); got != `{"a":3,"b":2}` {
		t.Errorf("got %s", got)
	}
	if got := string(rawjson.Member([]byte(`{"a":1,"b":2,"\u0061":3}`), "a")); got != "3" {
		t.Errorf("Member: got %s", got)
	}
}

func TestObjectWithManyMembers(t *testing.T) {
	t.Parallel()
	object := &rawjson.Object{}
	for i := range 100 {
		object.Set(fmt.Sprint("k", i), rawjson.OfInt(i))
	}
	if !object.Delete("k50") || object.Delete("k50") {
		t.Error("Delete must tell whether there was a member")
	}
	clone := object.Clone()
	clone.Set("k51", rawjson.OfInt(0))
	if got := string(object.Get("k51")); got != "51" || object.Len() != 99 {
		t.Errorf("k51 is %s of %d members", got, object.Len())
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":      ``,
		"an array":     `[]`,
		"a number":     `1`,
		"broken off":   `{"a":`,
		"trailing":     `{} {}`,
		"not UTF-8":    "{\"a\":\"\xff\"}",
		"bare words":   `{a:1}`,
		"single comma": `{"a":1,}`,
	} {
		if _, err := rawjson.Parse([]byte(text)); err == nil {
			t.Errorf("%s: %s was accepted", name, text)
		}
	}
}

func TestReaders(t *testing.T) {
	t.Parallel()
	refused := []error{}
	add := func(_ any, err error) { refused = append(refused, err) }
	add(rawjson.AsInt64([]byte(`1.0`)))
	add(rawjson.AsInt64([]byte(`"1"`)))
	add(rawjson.AsInt64([]byte(`9223372036854775808`)))
	add(rawjson.AsInt64(nil))
	add(rawjson.AsInt32([]byte(`2147483648`)))
	add(rawjson.AsString([]byte(`1`)))
	add(rawjson.AsArray([]byte(`{}`)))
	add(rawjson.AsStrings([]byte(`{"a":1}`)))
	add(rawjson.AsStrings([]byte(`[]`)))
	add(rawjson.AsArrayOf([]byte(`[1,"x"]`), rawjson.AsInt64))
	for i, err := range refused {
		if err == nil {
			t.Errorf("case %d was accepted", i)
		}
	}
	if n, err := rawjson.AsInt64([]byte(` -9223372036854775808 `)); err != nil || n != -1<<63 {
		t.Errorf("smallest integer: %d, %v", n, err)
	}
	if list, err := rawjson.AsArrayOf([]byte(`[ 1 , 2]`), rawjson.AsInt64); err != nil || !cmp.Equal(list, []int64{1, 2}) {
		t.Errorf("list: %v, %v", list, err)
	}
}

func TestSameIgnoresOrderAndNulls(t *testing.T) {
	t.Parallel()
	a, errA := rawjson.Decode([]byte(`{"x":[1,{"y":9007199254740993,"z":null}],"w":"s"}`))
	b, errB := rawjson.Decode([]byte(`{"w":"s","x":[1,{"y":9007199254740993}]}`))
	c, errC := rawjson.Decode([]byte(`{"w":"s","x":[1,{"y":9007199254740992}]}`))
	if errA != nil || errB != nil || errC != nil {
		t.Fatal(errA, errB, errC)
	}
	if !rawjson.Same(a, b) {
		t.Error("equal but for order and nulls")
	}
	if rawjson.Same(a, c) {
		t.Error("numbers beyond 2^53 must be told apart")
	}
	if rawjson.Same(a, "s") || rawjson.Same("s", a) || rawjson.Same([]any{}, map[string]any{}) {
		t.Error("kinds must be told apart")
	}
}

// An object that is split and put together again means the same as before, whatever it holds.
func TestSplitIsLossless(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		members := rapid.MapOf(rapid.String(), rapid.OneOf(
			rapid.Map(rapid.Int64(), func(n int64) any { return n }),
			rapid.Map(rapid.String(), func(s string) any { return s }),
			rapid.Map(rapid.SliceOf(rapid.String()), func(s []string) any { return s }),
			rapid.Map(rapid.MapOf(rapid.String(), rapid.Bool()), func(m map[string]bool) any { return m }),
			rapid.Just(any(nil)),
		)).Draw(t, "members")
		text, err := json.MarshalIndent(members, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		object, err := rawjson.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after map[string]any
		if err := json.Unmarshal(text, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(object.Text(), &after); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Split promises no panic and no endless loop on any text, and to agree with encoding/json on valid text.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[{}]}`, `{"a":"\"}"`, `{"a"`, `{"a":1 2}`, `{]`, `[[}`, strings.Repeat(`{"a":`, 50)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		object, err := rawjson.Split(text)
		rawjson.Member(text, "a")
		_, _ = rawjson.AsArray(text)
		var reference map[string]json.RawMessage
		if !json.Valid(text) || json.Unmarshal(text, &reference) != nil || reference == nil {
			return
		}
		if err != nil {
			t.Fatalf("valid text was refused: %v", err)
		}
		if object.Len() != len(reference) {
			t.Fatalf("%d members instead of %d", object.Len(), len(reference))
		}
	})
}

func ExampleObject() {
	object, _ := rawjson.Parse([]byte(`{"snapshot-id": 9007199254740993, "from-a-newer-engine": {"x": 1.50}}`))
	object.Set("timestamp-ms", rawjson.OfInt(1700000000000))
	fmt.Println(string(object.Text()))
	// Output: {"snapshot-id":9007199254740993,"from-a-newer-engine":{"x": 1.50},"timestamp-ms":1700000000000}
}
