package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/internal/upstream"
)

// What the kit sends as no key is none, in 19 ways, and each differs from the good
// key that it was made from.
func TestMalformations(t *testing.T) {
	t.Parallel()
	if len(malformations) != 19 {
		t.Errorf("%d kinds of malformed keys", len(malformations))
	}
	for _, m := range malformations {
		good := newKey()
		values := m.values(good)
		if len(values) != 1 {
			continue
		}
		id, err := uuid.Parse(values[0])
		canonical := err == nil && id.String() == strings.ToLower(values[0])
		if canonical && id.Version() == 7 && id.Variant() == uuid.RFC4122 {
			t.Errorf("%s: %s is a key", m.name, values[0])
		}
	}
}

// Answers that say the same in another order, or with other secrets, are
// equivalent; those of which anything else differs are not.
func TestDiffer(t *testing.T) {
	t.Parallel()
	success := func(body string) answer { return answer{status: http.StatusOK, body: []byte(body)} }
	refusal := func(status int, kind, message string) answer {
		return answer{status: status, body: fmt.Appendf(nil, `{"error":{"type":%q,"message":%q,"code":%d}}`, kind, message, status)}
	}
	typed := func(kind string) answer {
		a := success(`{"a":1}`)
		a.header = http.Header{"Content-Type": {kind}}
		return a
	}
	cases := map[string]struct {
		first, second answer
		same          bool
	}{
		"another type of media":  {typed("application/json"), typed("text/plain"), false},
		"no type of media":       {typed("application/json"), success(`{"a":1}`), false},
		"another charset":        {typed("application/json"), typed("application/json;charset=UTF-8"), true},
		"numbers spelt anew":     {success(`{"a":[1.50,-20,0.0,1e3,100]}`), success(`{"a":[15e-1,-2.0E1,0,1000,1E+2]}`), true},
		"another fraction":       {success(`{"a":[1.05]}`), success(`{"a":[1.5]}`), false},
		"another sign":           {success(`{"a":[1]}`), success(`{"a":[-1]}`), false},
		"another power":          {success(`{"a":100}`), success(`{"a":10}`), false},
		"a null in a list":       {success(`{"a":[{"b":1}]}`), success(`{"a":[{"b":1,"c":null}]}`), true},
		"one element fewer":      {success(`{"a":[1,1]}`), success(`{"a":[1]}`), false},
		"a number and its text":  {success(`{"a":1}`), success(`{"a":"1"}`), false},
		"another order":          {success(`{"a":1,"b":{"c":2,"d":3}}`), success(`{"b":{"d":3,"c":2},"a":1}`), true},
		"another secret":         {success(`{"a":1,"config":{"token":"x"}}`), success(`{"a":1,"storage-credentials":[]}`), true},
		"another value":          {success(`{"a":{"b":[1,2]}}`), success(`{"a":{"b":[2,1]}}`), false},
		"a large number":         {success(`{"a":9007199254740993}`), success(`{"a":9007199254740992}`), false},
		"a member that is null":  {success(`{"a":1}`), success(`{"a":1,"b":null}`), true},
		"a member more":          {success(`{"a":1}`), success(`{"a":1,"b":0}`), false},
		"a body and none":        {success(`{"a":1}`), success(``), false},
		"bodies of another kind": {success(`<a>`), success(`<b>`), false},
		"no bodies":              {answer{status: 204}, answer{status: 204}, true},
		"another success":        {answer{status: 204}, answer{status: 200}, false},
		"another message":        {refusal(409, "AlreadyExistsException", "one"), refusal(409, "AlreadyExistsException", "two"), true},
		"another type":           {refusal(409, "AlreadyExistsException", ""), refusal(409, "CommitFailedException", ""), false},
		"no answer the second":   {answer{status: 204}, answer{err: fmt.Errorf("reset")}, false},
	}
	for name, c := range cases {
		if place := differ(c.first, c.second); (place == "") != c.same {
			t.Errorf("%s: %q", name, place)
		}
	}
}

// A pause is never shorter nor longer than the kit allows, whatever a server says.
func TestPause(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(rt *rapid.T) {
		after := rapid.OneOf(
			rapid.Map(rapid.Int(), func(n int) string { return fmt.Sprint(n) }),
			rapid.Map(rapid.IntRange(-1e6, 1e6), func(n int) string {
				return now.Add(time.Duration(n) * time.Second).Format(http.TimeFormat)
			}),
		).Draw(rt, "Retry-After")
		a := answer{status: http.StatusServiceUnavailable, header: http.Header{"Retry-After": {after}}}
		if pause, later := a.later(now); !later || pause < shortestPause || pause > longestPause {
			rt.Fatalf("%v, %t", pause, later)
		}
	})
	for _, a := range []answer{
		{status: http.StatusConflict},
		{status: http.StatusConflict, header: http.Header{"Retry-After": {"soon"}}},
		{status: http.StatusOK, header: http.Header{"Retry-After": {"1"}}},
	} {
		if _, later := a.later(now); later {
			t.Errorf("%v is taken for a request to come back", a)
		}
	}
}

// Java takes days, hours, minutes and seconds.
func TestLifetimeForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]Verdict{
		"PT30M": {Pass, Pass}, "P7D": {Pass, Pass}, "PT168H": {Pass, Pass}, "P1DT12H": {Pass, Pass}, "PT1.5S": {Pass, Pass},
		"P1W": {Pass, Fail}, "P1M": {Pass, Fail}, "P1Y": {Pass, Fail},
		"30m": {Fail, Fail}, "1800": {Fail, Fail}, "PT0S": {Fail, Pass}, "PT": {Fail, Fail}, "P": {Fail, Fail},
	} {
		s := &trial{server: &server{config: config{Lifetime: text}}}
		forAll := conclude(cell{kind: &kind{}}, lifetime(t.Context(), s)).Verdict
		forJava := conclude(cell{kind: &kind{}}, lifetimeForJava(t.Context(), s)).Verdict
		if got := [2]Verdict{forAll, forJava}; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// A lifetime where clients do not look is none, whatever the place is called.
func TestLifetimeAmongProperties(t *testing.T) {
	t.Parallel()
	properties := map[string]any{lifetimeField: "PT30M"}
	for name, c := range map[string]config{"defaults": {Defaults: properties}, "overrides": {Overrides: properties}} {
		err := lifetime(t.Context(), &trial{server: &server{config: c}})
		if got := conclude(cell{kind: &kind{}}, err); got.Verdict != Fail {
			t.Errorf("among the %s: %s: %s", name, got.Verdict, got.Finding)
		}
	}
}

// Every operation that takes a key has a subject, and every case a name of its own
// and a sentence.
func TestNothingIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range allCells() {
		if _, known := subjects[c.operation]; !known && c.operation != ServerWide {
			t.Errorf("the kit cannot make what %s needs", c.operation)
		}
	}
	known := map[string]bool{}
	for _, c := range Cases() {
		if known[c.ID] || c.Title == "" || c.Sentence == "" || c.Place == "" || c.Level == "" {
			t.Errorf("%+v", c)
		}
		known[c.ID] = true
	}
}

// Every sentence is one of the specification's, word for word, up to where it is
// cut.
func TestSentencesAreQuotations(t *testing.T) {
	t.Parallel()
	text := upstream.Spec(t, upstream.Files[0])
	if text == nil {
		return
	}
	spec := strings.Join(strings.Fields(string(text)), " ")
	for _, c := range Cases() {
		if !strings.HasPrefix(c.Place, "rest-catalog-open-api.yaml") {
			continue
		}
		words, _, _ := strings.Cut(c.Sentence, " …")
		if !strings.Contains(spec, words) {
			t.Errorf("%s: the specification does not say %q", c.ID, words)
		}
	}
}

func TestExcerptShowsNothingSecret(t *testing.T) {
	t.Parallel()
	text := excerpt([]byte(`{"metadata-location":"s3://x","config":{"s3.secret-access-key":"hush"},"storage-credentials":[{"config":{"a":"hush"}}]}`))
	if strings.Contains(text, "hush") || !strings.Contains(text, "s3://x") {
		t.Error(text)
	}
}
