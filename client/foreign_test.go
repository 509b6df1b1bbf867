package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/client"
)

// Once a mutation may have been applied, a refusal counts as its own only in the
// form that catalogs give theirs, or with the mark of a replay. Anything else is
// waited out like a 502, and leaves the outcome open at the end.
func TestForeignRefusals(t *testing.T) {
	t.Parallel()
	encoded := func(s step, coding, body string) step {
		s.body, s.header = body, http.Header{"Content-Encoding": {coding}}
		return s
	}
	lost := step{err: errors.New("connection reset")}
	for name, test := range map[string]struct {
		step step
		own  bool
	}{
		"Iceberg":               {status(404, "NoSuchTableException"), true},
		"Iceberg's by a stack":  {step{status: 400, body: `{"error":{"message":"m","type":"BadRequestException","code":400,"stack":["a"]},"x":1}`}, true},
		"code is a string":      {step{status: 409, body: `{"error":{"message":"m","type":"TableAlreadyExists","code":"409"}}`}, true},
		"no message":            {step{status: 409, body: ` {"error":{"type":"CommitFailedException","code":409}} `}, true},
		"no code":               {step{status: 409, body: `{"error":{"message":"m","type":"CommitFailedException"}}`}, true},
		"null code":             {step{status: 409, body: `{"error":{"message":"m","type":"CommitFailedException","code":null}}`}, true},
		"encoded":               {encoded(step{status: 404}, "gzip", packed(status(404, "NoSuchTableException").body)), true},
		"replayed page":         {step{status: 404, body: "gone", header: http.Header{"Idempotency-Replayed": {"true"}}}, true},
		"HTML":                  {page(404), false},
		"HTML, 400":             {page(400), false},
		"HTML, 409":             {page(409), false},
		"HTML, 405":             {page(405), false},
		"HTML, 413":             {page(413), false},
		"text":                  {step{status: 404, body: "default backend - 404"}, false},
		"nothing":               {step{status: 404}, false},
		"nothing, 409":          {step{status: 409}, false},
		"gateway's JSON":        {step{status: 404, body: `{"message":"no Route matched with those values"}`}, false},
		"error is a string":     {step{status: 404, body: `{"timestamp":"t","status":404,"error":"Not Found","path":"/"}`}, false},
		"OAuth":                 {step{status: 400, body: `{"error":"invalid_request","error_description":"d"}`}, false},
		"no type":               {step{status: 404, body: `{"error":{"code":404,"message":"m","status":"NOT_FOUND"}}`}, false},
		"code is a word":        {step{status: 404, body: `{"error":{"code":"ResourceNotFound","message":"m","type":"x"}}`}, false},
		"no code, no exception": {step{status: 400, body: `{"error":{"message":"m","type":"invalid_request_error"}}`}, false},
		"code of another":       {step{status: 404, body: status(400, "BadRequestException").body}, false},
		"not wrapped":           {step{status: 404, body: `{"message":"m","type":"NoSuchTableException","code":404}`}, false},
		"list":                  {step{status: 404, body: `[]`}, false},
		"encoded elsehow":       {encoded(step{status: 404}, "br", "?"), false},
		"encoded badly":         {encoded(step{status: 404}, "gzip", packed("{}")[:12]), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, lost, test.step)
			code, body, err := rig.send(t)
			if test.own {
				if err != nil || code != test.step.status || body != test.step.body {
					t.Errorf("%d %q %v", code, body, err)
				}
				return
			}
			var e *client.Error
			var s *client.StatusError
			if !errors.As(err, &e) || !e.StateUnknown || e.Attempts != 10 || !errors.Is(err, client.ErrAttempts) ||
				!errors.As(err, &s) || s.Status != test.step.status || !s.Foreign {
				t.Fatalf("%d %v", code, err)
			}
			if want := fmt.Sprintf("the answer was %d", test.step.status); !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), ", not in Iceberg's form") {
				t.Errorf("%v", err)
			}
			// Before any loss it is handed on: nothing was applied.
			rig = newRig(t, test.step)
			if code, body, err := rig.send(t); err != nil || code != test.step.status || body != test.step.body {
				t.Errorf("first: %d %q %v", code, body, err)
			}
			// And what the server says in the end counts.
			rig = newRig(t, lost, test.step, test.step, done)
			if code, _, err := rig.send(t); err != nil || code != 200 {
				t.Errorf("in between: %d %v", code, err)
			}
		})
	}
}

// A refusal is read whole even where answers are not to be held.
func TestSmallBufferHoldsRefusals(t *testing.T) {
	t.Parallel()
	rig := newRigWith(t, func(o *client.Options) { o.MaxBuffer = 30 }, step{status: 502}, status(409, "AlreadyExistsException"))
	if code, _, err := rig.send(t); err != nil || code != 409 {
		t.Errorf("%d %v", code, err)
	}
}
