package client_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/runtime"
)

// What settles a request is handed on at once, what does not is sent again.
func TestWhatIsSentAgain(t *testing.T) {
	t.Parallel()
	lost := errors.New("connection reset")
	for name, test := range map[string]struct {
		first step
		again bool
	}{
		"200":                       {step{status: 200, body: "{}"}, false},
		"200, nothing":              {step{status: 200}, false},
		"200, encoded":              {step{status: 200, body: packed("{}"), header: http.Header{"Content-Encoding": {"gzip"}}}, false},
		"200, encoded elsehow":      {step{status: 200, body: "?", header: http.Header{"Content-Encoding": {"br"}}}, false},
		"200, HTML":                 {page(200), true},
		"200, text":                 {step{status: 200, body: "hello"}, true},
		"204, replayed text":        {step{status: 204, body: "hello", header: http.Header{"Idempotency-Replayed": {"true"}}}, false},
		"204":                       {step{status: 204}, false},
		"307":                       {step{status: 307}, false},
		"400":                       {status(400, "BadRequestException"), false},
		"401":                       {status(401, "NotAuthorizedException"), false},
		"403":                       {status(403, "ForbiddenException"), false},
		"404":                       {status(404, "NoSuchNamespaceException"), false},
		"404, HTML":                 {page(404), false},
		"404, nothing":              {step{status: 404}, false},
		"408":                       {status(408, ""), true},
		"409":                       {status(409, "AlreadyExistsException"), false},
		"409, Retry-After":          {status(409, "AlreadyExistsException", "Retry-After", "1"), false},
		"409, in progress":          {status(409, runtime.TypeInProgress, "Retry-After", "1"), true},
		"409, in progress, no hint": {status(409, runtime.TypeInProgress), true},
		"409, in progress, encoded": {step{
			status: 409, body: packed(status(409, runtime.TypeInProgress).body), header: http.Header{"Content-Encoding": {"gzip"}},
		}, true},
		"409 of another form": {step{status: 409, body: runtime.TypeInProgress}, false},
		"419":                 {status(419, ""), false},
		"422":                 {status(422, ""), false},
		"422, key reused":     {status(422, runtime.TypeKeyReused), false},
		"499":                 {step{status: 499}, true},
		"425":                 {status(425, ""), true},
		"429":                 {status(429, ""), true},
		"429, Retry-After":    {status(429, "", "Retry-After", "3"), true},
		"500":                 {status(500, ""), true},
		"500, state unknown":  {status(500, runtime.TypeStateUnknown), true},
		"501":                 {status(501, ""), false},
		"502":                 {step{status: 502, body: "<html>"}, true},
		"503":                 {status(503, ""), true},
		"503, Retry-After":    {status(503, "", "Retry-After", "1"), true},
		"504":                 {status(504, ""), true},
		"505":                 {status(505, ""), false},
		"524":                 {step{status: 524}, true},
		"no answer":           {step{err: lost}, true},
		"end of file":         {step{err: io.EOF}, true},
		"200, cut off":        {step{status: 200, body: "{", cut: true}, true},
		"409, cut off":        {step{status: 409, body: "{", cut: true}, true},
		"503, cut off":        {step{status: 503, body: "{", cut: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, test.first, step{status: 200, body: `"the second"`})
			code, body, err := rig.send(t)
			if err != nil {
				t.Fatal(err)
			}
			if again := body == `"the second"`; again != test.again || len(rig.base.mutations) != len(rig.log.attempts) {
				t.Errorf("%d %q; sent again: %v", code, body, again)
			}
			if !test.again && (code != test.first.status || body != test.first.body) {
				t.Errorf("%d %q; want the first answer", code, body)
			}
		})
	}
}

// Once a mutation may have been applied, an answer that does not speak of it is no
// answer: clients delete the files of a commit that they take for failed.
func TestAnswersInDoubt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		step  step
		final bool
	}{
		"200":             {done, true},
		"204":             {step{status: 204}, true},
		"400":             {status(400, "BadRequestException"), true},
		"404":             {status(404, "NoSuchTableException"), true},
		"409":             {status(409, "CommitFailedException"), true},
		"422":             {status(422, "UnprocessableEntityException"), true},
		"307":             {step{status: 307}, false},
		"401":             {status(401, "NotAuthorizedException"), false},
		"403":             {status(403, "ForbiddenException"), false},
		"419":             {status(419, ""), false},
		"421":             {status(421, ""), false},
		"422, key reused": {status(422, runtime.TypeKeyReused), false},
		"501":             {status(501, ""), false},
		"505":             {status(505, ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, status(502, ""), test.step)
			code, _, err := rig.send(t)
			if test.final {
				if err != nil || code != test.step.status {
					t.Errorf("%d %v", code, err)
				}
				return
			}
			var e *client.Error
			var s *client.StatusError
			if !errors.As(err, &e) || !e.StateUnknown || e.Attempts != 2 || e.Reason != nil ||
				!errors.As(err, &s) || s.Status != test.step.status {
				t.Errorf("%d %v", code, err)
			}
		})
	}
}

// Whether a mutation may have been applied is told by what its attempts came to.
func TestStateUnknown(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps   []step
		unknown bool
	}{
		"429":             {[]step{status(429, "")}, false},
		"408":             {[]step{status(408, "")}, true},
		"499":             {[]step{{status: 499}}, true},
		"200, HTML":       {[]step{page(200)}, true},
		"425":             {[]step{status(425, "")}, false},
		"500":             {[]step{status(500, "")}, true},
		"503":             {[]step{status(503, "", "Retry-After", "1")}, true},
		"in progress":     {[]step{status(409, runtime.TypeInProgress)}, true},
		"no answer":       {[]step{{err: io.EOF}}, true},
		"cut off":         {[]step{{status: 409, cut: true}}, true},
		"500, then 429":   {[]step{status(500, ""), status(429, "")}, true},
		"429, then a 502": {[]step{status(429, ""), status(429, ""), status(502, ""), status(429, "")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, test.steps...)
			_, _, err := rig.send(t)
			var e *client.Error
			if !errors.As(err, &e) || e.StateUnknown != test.unknown || e.Attempts != 10 || !errors.Is(err, client.ErrAttempts) {
				t.Errorf("%v", err)
			}
			if said := strings.Contains(err.Error(), "may have been applied"); said != test.unknown {
				t.Errorf("%v", err)
			}
		})
	}
}

// The error names operation, key, attempts and the last cause, and is found inside
// the one of http.Client.
func TestErrorAtTheEnd(t *testing.T) {
	t.Parallel()
	rig := newRigWith(t, func(o *client.Options) { o.MaxAttempts = 3 },
		step{err: io.EOF}, status(500, ""), status(503, "ServiceUnavailableException", "Retry-After", "1"))
	_, err := (&http.Client{Transport: rig.Transport}).Do(post(t, namespaces))
	var e *client.Error
	var s *client.StatusError
	if !errors.As(err, &e) || !errors.As(err, &s) || !errors.Is(err, client.ErrAttempts) {
		t.Fatal(err)
	}
	if e.Operation != "createNamespace" || e.Key != rig.base.mutations[0].key || e.Attempts != 3 || !e.StateUnknown || e.Timeout() {
		t.Errorf("%+v", e)
	}
	if s.Status != 503 || s.Type != "ServiceUnavailableException" || s.Message != "m" {
		t.Errorf("%+v", s)
	}
	want := `Post "http://catalog.test/v1/namespaces": client: createNamespace, key ` + e.Key + `, is unsettled after 3 attempts` +
		` and may have been applied; all attempts are used up: the answer was 503 ServiceUnavailableException: m`
	if err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// Attempts tell what happens, as it happens.
func TestOnAttempt(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	rig := newRig(t, step{err: lost}, status(503, "", "Retry-After", "7"),
		step{status: 200, body: "{}", header: http.Header{"Idempotency-Replayed": {"true"}}})
	if _, _, err := rig.send(t); err != nil {
		t.Fatal(err)
	}
	all := rig.log.attempts
	if len(all) != 3 {
		t.Fatalf("%+v", all)
	}
	for i, a := range all {
		if a.Number != i+1 || a.Operation.ID != "createNamespace" || a.Key != rig.base.mutations[0].key ||
			a.Replayed != (i == 2) || (a.Pause == 0) != (i == 2) || (a.Cause == nil) != (i == 2) {
			t.Errorf("attempt %d: %+v", i+1, a)
		}
	}
	var s *client.StatusError
	if !errors.Is(all[0].Cause, lost) || all[0].Status != 0 ||
		!errors.As(all[1].Cause, &s) || s.Status != 503 || all[1].Status != 503 || all[2].Status != 200 {
		t.Errorf("%+v", all)
	}
}

// An answer above the limit is handed on as it comes: the mutation was applied,
// and a refusal for its answer's size would say that it was not.
func TestLargeAnswer(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]int{99: 2, 100: 1, 101: 1} {
		rig := newRigWith(t, func(o *client.Options) { o.MaxBuffer = 100 },
			step{status: 200, body: strings.Repeat("x", size), cut: true}, step{status: 200, body: `"whole"`})
		response, err := rig.RoundTrip(post(t, namespaces))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if len(rig.base.mutations) != want {
			t.Errorf("%d bytes: %d attempts; want %d", size, len(rig.base.mutations), want)
		}
		if want == 1 && (len(body) != size || !errors.Is(err, io.ErrUnexpectedEOF)) || want == 2 && string(body) != `"whole"` {
			t.Errorf("%d bytes: %d came, %v", size, len(body), err)
		}
	}
}
