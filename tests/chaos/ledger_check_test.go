package chaos

import (
	"net/http"
	"reflect"
	"testing"
)

// Rows before and after a change become events.
func TestRowsBecomeEvents(t *testing.T) {
	t.Parallel()
	names := map[string]string{"1": "x", "2": "y"}
	table := `{"id":"t","namespace_id":"1","name":"t","kind":"table","metadata_location":"t0","version":1}`
	view := `{"id":"v","namespace_id":"1","name":"v","kind":"view","metadata_location":"v0","version":1}`
	for name, test := range map[string]struct {
		table, before, after string
		want                 event
	}{
		"a new namespace": {
			namespaceTable, ``, `{"id":"3","name":"z","properties":"{\"chaos.mark\":\"m\"}"}`,
			event{Action: creates, Object: "z", ID: "3", Mark: "m"},
		},
		"the same namespace": {
			namespaceTable, `{"id":"1","name":"x","properties":"{\"chaos.mark\":\"m\"}"}`, `{"id":"1","name":"x","properties":"{\"chaos.mark\":\"m\"}"}`,
			event{Action: changes, Object: "x", Was: "x", ID: "1", Mark: "m", Same: true},
		},
		"no namespace": {
			namespaceTable, `{"id":"1","name":"x","properties":"{}"}`, ``,
			event{Action: drops, Object: "x", Was: "x", ID: "1"},
		},
		"a new table": {entryTable, ``, table, event{Action: creates, Object: "x.t", ID: "t", Entry: true, To: "t0", Version: 1}},
		"a commit": {
			entryTable, table, `{"id":"t","namespace_id":"1","name":"t","kind":"table","metadata_location":"t1","version":2}`,
			event{Action: changes, Object: "x.t", Was: "x.t", ID: "t", Entry: true, From: "t0", To: "t1", Version: 2},
		},
		"a move": {
			entryTable, view, `{"id":"v","namespace_id":"2","name":"v","kind":"view","metadata_location":"v0","version":1}`,
			event{Action: renames, Object: "y.v", Was: "x.v", ID: "v", Entry: true, View: true, From: "v0", To: "v0", Version: 1},
		},
		"no view": {entryTable, view, ``, event{Action: drops, Object: "x.v", Was: "x.v", ID: "v", Entry: true, View: true, From: "v0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := map[string]string{}
			for id, n := range names {
				known[id] = n
			}
			var got event
			if err := got.read(test.table, text(test.before), text(test.after), known); err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

// text is what the database gives for JSON or NULL.
func text(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// Two answers are the same when their JSON is; numbers count to the last digit.
func TestAnswersAreCompared(t *testing.T) {
	t.Parallel()
	read := func(status int, body string) answer { return newAnswer("a", status, http.Header{}, []byte(body)) }
	first := read(200, `{"metadata-location":"m","n":9007199254740993,"a":[1,2]}`)
	if first.Location != "m" || !first.final() || !first.success() {
		t.Errorf("%v", first)
	}
	for body, same := range map[string]bool{
		`{ "a": [1,2], "n": 9007199254740993, "metadata-location": "m" }`: true,
		`{"metadata-location":"m","n":9007199254740992,"a":[1,2]}`:        false,
		`{"metadata-location":"m","n":9007199254740993,"a":[2,1]}`:        false,
		``: false,
	} {
		if second := read(200, body); second.equal(first) != same {
			t.Errorf("%s: the same: %t", body, !same)
		}
	}
	if read(204, "").equal(read(200, "")) {
		t.Error("another status is the same")
	}
	busy := read(409, `{"error":{"type":"IdempotencyKeyInProgressException","code":409}}`)
	taken := read(409, `{"error":{"type":"AlreadyExistsException","code":409}}`)
	if busy.final() || !taken.final() || read(503, "").final() || read(500, "").final() {
		t.Error("what is final is not, or the other way about")
	}
}
