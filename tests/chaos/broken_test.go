package chaos

import (
	"slices"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/runtime"
)

// record is a short history: what clients were told, and what happened.
type record struct {
	form      form
	mutations []*mutation
	ledger    *ledger
}

func (r *record) mutation(mark string) *mutation {
	return r.mutations[slices.IndexFunc(r.mutations, func(m *mutation) bool { return m.Mark == mark })]
}

// event returns the nth event, counted from 1.
func (r *record) event(n int) *event { return &r.ledger.events[n-1] }

// cut removes the nth event and those after it.
func (r *record) cut(n int) { r.ledger.events = r.ledger.events[:n-1] }

// again adds the nth event a second time.
func (r *record) again(n int) {
	e := *r.event(n)
	e.Seq = int64(len(r.ledger.events) + 1)
	r.ledger.events = append(r.ledger.events, e)
}

func told(status int, kind, digest string) answer {
	return answer{Status: status, Type: kind, Digest: digest}
}

// done is a mutation that was acknowledged, by an answer that got lost once.
func done(mark, operation, location string, effects ...effect) *mutation {
	yes := answer{Status: 200, Digest: "yes", Location: location}
	return &mutation{
		Mark: mark, Key: "key-" + mark, Operation: operation, Effects: effects, Certain: true,
		Outcome: acknowledged, Answer: yes, Answers: []answer{told(503, "", "busy"), yes, yes},
	}
}

func number(n int64) *int64 { return &n }

// sound is a history in which nothing is wrong: two tables t and u are created, one
// is committed to, both are in a transaction; t is renamed, u dropped. Then comes a
// refusal, and a namespace.
func sound() *record {
	none := told(404, "NoSuchTableException", "no")
	nothing := &mutation{
		Mark: "m6", Key: "key-m6", Operation: "dropTable", Effects: []effect{{drops, "x.nothing"}},
		Outcome: refused, Answer: none, Answers: []answer{told(409, runtime.TypeInProgress, "wait"), none},
	}
	unclear := &mutation{Mark: "m7", Key: "key-m7", Operation: "createView", Effects: []effect{{creates, "x.v"}}, Outcome: unknown}
	file := func(mark string, sequence, updated int64, current, parent *int64, before string) *metadataFile {
		f := &metadataFile{Updated: updated, Properties: map[string]string{markProperty: mark}}
		f.UUID, f.Sequence, f.Current = "uuid", sequence, current
		if current != nil {
			f.Snapshots = []tableSnapshot{{*current, parent}}
		}
		if before != "" {
			f.Log = []logEntry{{File: before}}
		}
		return f
	}
	return &record{
		form: transactional,
		mutations: []*mutation{
			done("m1", "createTable", "t0", effect{creates, "x.t"}),
			done("m2", "createTable", "u0", effect{creates, "x.u"}),
			done("m3", "updateTable", "t1", effect{changes, "x.t"}),
			done("m4", "commitTransaction", "", effect{changes, "x.t"}, effect{changes, "x.u"}),
			done("m5", "renameTable", "", effect{renames, "x.s"}),
			nothing, unclear,
			done("m8", "dropTable", "", effect{drops, "x.u"}),
			done("m9", "createNamespace", "", effect{creates, "x"}),
			done("m10", "updateProperties", "", effect{changes, "x"}),
		},
		ledger: &ledger{
			events: []event{
				{Seq: 1, Tx: 1, Action: creates, Object: "x", Mark: "m9"},
				{Seq: 2, Tx: 2, Action: creates, Object: "x.t", ID: "t", Mark: "m1", Entry: true, To: "t0", Version: 1},
				{Seq: 3, Tx: 3, Action: creates, Object: "x.u", ID: "u", Mark: "m2", Entry: true, To: "u0", Version: 1},
				{Seq: 4, Tx: 4, Action: changes, Object: "x.t", ID: "t", Mark: "m3", Entry: true, From: "t0", To: "t1", Version: 2},
				{Seq: 5, Tx: 5, Action: changes, Object: "x.t", ID: "t", Mark: "m4", Entry: true, From: "t1", To: "t2", Version: 3},
				{Seq: 6, Tx: 5, Action: changes, Object: "x.u", ID: "u", Mark: "m4", Entry: true, From: "u0", To: "u1", Version: 2},
				{Seq: 7, Tx: 6, Action: changes, Object: "x", Mark: "m10"},
				{Seq: 8, Tx: 7, Action: renames, Object: "x.s", Was: "x.t", ID: "t", Entry: true, From: "t2", To: "t2", Version: 3},
				{Seq: 9, Tx: 8, Action: drops, Object: "x.u", Was: "x.u", ID: "u", Entry: true, From: "u1"},
			},
			pointers: map[string]string{"t": "t2"},
			files: map[string]*metadataFile{
				"t0": file("m1", 0, 10, nil, nil, ""),
				"t1": file("m3", 1, 11, number(1), nil, "t0"),
				"t2": file("m4", 2, 12, number(2), number(1), "t1"),
				"u0": file("m2", 0, 10, nil, nil, ""),
				"u1": file("m4", 1, 10, number(3), nil, "u0"),
			},
		},
	}
}

// TestViolationsAreFound breaks a sound history in each way there is, and wants
// the checker to say so and nothing else.
func TestViolationsAreFound(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spoil func(*record)
		want  []kind
	}{
		"sound":                            {func(*record) {}, nil},
		"sound: nobody knows of a change":  {func(r *record) { r.mutation("m10").Outcome = unknown }, nil},
		"sound: nobody knows of a refusal": {func(r *record) { m := r.mutation("m6"); m.Outcome, m.Answer = unknown, answer{} }, nil},
		"sound: a drop after one that was refused": {func(r *record) {
			full := done("m11", "dropNamespace", "", effect{drops, "x"})
			full.refuse(told(409, "NamespaceNotEmptyException", "full"))
			full.Certain = false
			r.mutations = append(r.mutations, full, done("m12", "dropNamespace", "", effect{drops, "x"}))
			r.ledger.events = append(r.ledger.events, event{Seq: 10, Tx: 10, Action: drops, Object: "x"})
		}, nil},
		"refused for what is in a namespace that never had anything": {func(r *record) {
			m := r.mutation("m6")
			m.refuse(told(409, "NamespaceNotEmptyException", "full"))
			m.Effects[0] = effect{drops, "y"}
		}, []kind{unfounded}},
		"a drop is lost": {func(r *record) { r.cut(9); r.ledger.pointers["u"] = "u1" }, []kind{lost}},
		"a rename is lost": {func(r *record) {
			r.ledger.events = slices.Delete(r.ledger.events, 7, 8)
		}, []kind{lost}},
		"a namespace is changed twice":    {func(r *record) { r.again(7) }, []kind{doubled}},
		"an unknown change is done twice": {func(r *record) { r.again(7); r.mutation("m10").Outcome = unknown }, []kind{doubled}},
		"a rename is done twice":          {func(r *record) { r.again(8) }, []kind{doubled}},
		"a transaction is half done": {func(r *record) {
			r.ledger.events = slices.Delete(r.ledger.events, 5, 6)
			r.ledger.events[7].From = "u0"
		}, []kind{torn}},
		"a transaction is two": {func(r *record) { r.event(6).Tx = 55 }, []kind{torn}},
		"refused and applied": {func(r *record) {
			r.mutation("m8").refuse(told(404, "NoSuchTableException", "no"))
			r.mutation("m8").Certain = false
		}, []kind{falselyFailed}},
		"not sent, and applied": {func(r *record) {
			r.mutation("m10").Outcome, r.mutation("m10").Answer = refused, answer{}
		}, []kind{falselyFailed}},
		"another refusal to a retry": {func(r *record) {
			m := r.mutation("m6")
			m.Answers = append(m.Answers, told(404, "NoSuchNamespaceException", "another"))
		}, []kind{differing}},
		"a refusal after a success": {func(r *record) {
			m := r.mutation("m10")
			m.Answers = append(m.Answers, told(409, "AlreadyExistsException", "no"))
		}, []kind{differing}},
		"an answer of nobody's": {func(r *record) { r.mutation("m10").Answers = nil }, []kind{madeUp}},
		"another version":       {func(r *record) { r.mutation("m3").tell("t2") }, []kind{otherVersion}},
		"refused for nothing":   {func(r *record) { r.mutation("m6").Certain = true }, []kind{unfounded}},
		"refused for a reuse of the key": {func(r *record) {
			r.mutation("m6").refuse(told(422, runtime.TypeKeyReused, "reused"))
		}, []kind{unfounded}},
		"refused for a name that nobody has": {func(r *record) {
			m := r.mutation("m6")
			m.refuse(told(409, "AlreadyExistsException", "taken"))
			m.Effects[0] = effect{creates, "x.nothing"}
		}, []kind{unfounded}},
		"sound: refused for a name that was taken": {func(r *record) {
			m := r.mutation("m6")
			m.refuse(told(409, "AlreadyExistsException", "taken"))
			m.Effects[0] = effect{creates, "x.u"}
		}, nil},
		"a conflict with nobody": {func(r *record) {
			r.event(8).Object, r.mutation("m5").Effects[0] = "x.t", effect{renames, "x.t"}
			r.mutation("m6").conflict("x.t", 2)
		}, []kind{unfounded}},
		"sound: a conflict with a later commit": {func(r *record) { r.mutation("m6").conflict("x.s", 1) }, nil},
		"refused as malformed":                  {func(r *record) { r.mutation("m6").refuse(told(400, "BadRequestException", "bad")) }, []kind{unfounded}},
		"a mark of nobody's": {func(r *record) {
			r.ledger.events = append(r.ledger.events, event{Seq: 10, Tx: 10, Action: creates, Object: "y", Mark: "m99"})
		}, []kind{unaskedFor}},
		"a mark in another place": {func(r *record) {
			r.ledger.events = append(r.ledger.events, event{Seq: 10, Tx: 10, Action: changes, Object: "y", Mark: "m10"})
		}, []kind{unaskedFor}},
		"a dropped name of nobody's": {func(r *record) {
			r.ledger.events = append(r.ledger.events, event{Seq: 10, Tx: 10, Action: drops, Object: "x.nobody", ID: "n", Entry: true})
		}, []kind{unaskedFor, brokenChain}},
		"a version from an older one": {func(r *record) { r.event(5).From = "t0" }, []kind{brokenChain}},
		"a version left out":          {func(r *record) { r.event(6).Version = 3 }, []kind{brokenChain}},
		"a pointer of its own":        {func(r *record) { r.ledger.pointers["t"] = "t1" }, []kind{brokenChain}},
		"a row of its own":            {func(r *record) { r.ledger.pointers["w"] = "w0" }, []kind{brokenChain}},
		"another uuid":                {func(r *record) { r.ledger.files["u1"].UUID = "another" }, []kind{brokenChain}},
		"a log that forgets":          {func(r *record) { r.ledger.files["u1"].Log = nil }, []kind{brokenChain}},
		"a log of another table":      {func(r *record) { r.ledger.files["u1"].Log[0].File = "t0" }, []kind{brokenChain}},
		"a history from nowhere":      {func(r *record) { r.ledger.files["u0"].Log = []logEntry{{File: "u9"}} }, []kind{brokenChain}},
		"time goes back":              {func(r *record) { r.ledger.files["u1"].Updated = 9 }, []kind{brokenChain}},
		"a snapshot replaces another": {func(r *record) { r.ledger.files["t2"].Snapshots[0].Parent = number(7) }, []kind{brokenChain}},
		"a sequence number again":     {func(r *record) { r.ledger.files["t2"].Sequence = 1 }, []kind{brokenChain}},
		"a file is missing":           {func(r *record) { r.ledger.files["t1"] = nil }, []kind{missingFile}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := sound()
			test.spoil(r)
			found, _ := check(r.form, r.mutations, r.ledger)
			var kinds []kind
			for _, v := range found {
				if !slices.Contains(kinds, v.Kind) {
					kinds = append(kinds, v.Kind)
				}
			}
			slices.Sort(kinds)
			slices.Sort(test.want)
			if !slices.Equal(kinds, test.want) {
				t.Errorf("found %v; want %q", found, test.want)
			}
		})
	}
}

// refuse has a mutation end with a refusal.
func (m *mutation) refuse(a answer) {
	m.Outcome, m.Answer, m.Answers = refused, a, []answer{a}
}

// conflict has a mutation end with a conflict.
func (m *mutation) conflict(table string, base int64) {
	m.refuse(told(409, "CommitFailedException", "conflict"))
	m.Effects, m.Bases = []effect{{changes, table}}, map[string]int64{table: base}
}

// tell has a client told another version.
func (m *mutation) tell(location string) {
	m.Answer.Location = location
}

// In two phases a lost attempt is run again. That must not change anything; in one
// transaction with its record it must not even happen.
func TestRepeats(t *testing.T) {
	t.Parallel()
	for f, want := range map[form]string{transactional: string(doubled), twoPhase: ""} {
		r := sound()
		r.again(7)
		r.ledger.events[9].Same = true
		found, repeated := check(f, r.mutations, r.ledger)
		if (want == "") != (len(found) == 0) || len(found) > 0 && !strings.HasPrefix(found[0].String(), want) || (repeated == 1) != (f == twoPhase) {
			t.Errorf("%s: %v, %d repeated; want %q", f, found, repeated, want)
		}
	}
}

// TestLeftOversAreFound judges reservations that are there in the end.
func TestLeftOversAreFound(t *testing.T) {
	t.Parallel()
	r := sound()
	byKey := map[string]*mutation{}
	for _, m := range r.mutations {
		byKey[m.Key] = m
	}
	for _, test := range []struct {
		form       form
		key        string
		stuck      int
		unrecorded int
	}{
		{transactional, "key-m7", 1, 0},
		{transactional, "key-m1", 1, 0},
		{twoPhase, "key-m7", 0, 0},
		{twoPhase, "key-m1", 0, 1},
		{twoPhase, "of nobody", 1, 0},
	} {
		found, unrecorded := leftOver(test.form, []string{test.key}, byKey)
		if len(found) != test.stuck || unrecorded != test.unrecorded {
			t.Errorf("%s, %s: %v, %d unrecorded", test.form, test.key, found, unrecorded)
		}
	}
}
