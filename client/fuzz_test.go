package client_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/onceberg/onceberg/client"
)

// Whatever a configuration holds, its reader gets the same bytes, and a mutation
// after it is sent with a key, without one, or not at all with an error that says
// why.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		halfHour, `{"idempotency-key-lifetime":"P1Y2M3W4DT5H6M7.5S"}`, `{"idempotency-key-lifetime":"-P1D"}`,
		`{"idempotency-key-lifetime":"P99999999999999999999Y"}`, `{"idempotency-key-lifetime":"PT0.0000000001S"}`,
		`{"idempotency-key-lifetime":5}`, `[]`, ``, `"P1D"`, `{"idempotency-key-lifetime":"PT1E400S"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, config []byte) {
		rig := newRig(t, done)
		rig.base.configs = []step{{status: 200, body: string(config)}}
		body, err := rig.get(t, "http://catalog.test/v1/config")
		if err != nil || !bytes.Equal([]byte(body), config) {
			t.Fatalf("%q %v", body, err)
		}
		_, _, err = rig.send(t)
		var e *client.Error
		switch {
		case err == nil && len(rig.base.mutations) != 1:
			t.Errorf("%d mutations", len(rig.base.mutations))
		case err != nil && (!errors.As(err, &e) || e.Attempts != 0 || len(rig.base.mutations) != 0):
			t.Errorf("%d mutations, %v", len(rig.base.mutations), err)
		}
	})
}

// Whatever a server says, a pause is neither nothing nor longer than the key may
// live.
func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 2, 28, 23, 59, 59, 0, time.UTC)
	for _, seed := range [][2]string{
		{"1", ""},
		{"0", ""},
		{"-1", ""},
		{"99999999999999999999", ""},
		{"1e9", ""},
		{"soon", "now"},
		{now.Format(http.TimeFormat), ""},
		{now.Add(time.Minute).Format(time.RFC850), now.Format(time.ANSIC)},
		{"Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, retryAfter, date string) {
		rig := newRigWith(t, func(o *client.Options) { o.MaxAttempts = 2 }, status(503, ""))
		rig.clock.now = now
		rig.base.steps[0].header = http.Header{"Retry-After": {retryAfter}, "Date": {date}}
		rig.clock.waited = func(d time.Duration) {
			if d <= 0 || d >= 30*time.Minute {
				t.Errorf("pause %v", d)
			}
		}
		if _, _, err := rig.send(t); !errors.Is(err, client.ErrAttempts) && !errors.Is(err, client.ErrLifetime) {
			t.Errorf("%v", err)
		}
	})
}

// Whatever a path looks like, the request goes where it was meant to go, once.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{
		"/v1/namespaces", "/v1//namespaces", "/v1/p/namespaces/v1/tables/%2f", "//v1/namespaces/", "", "v1/namespaces", "/%", "/v1/\x1f/namespaces",
	} {
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, path string, raw bool) {
		u := &url.URL{Scheme: "http", Host: "h", Path: path}
		if raw {
			u.RawPath = path
		}
		rig := newRig(t, done)
		request := post(t, namespaces)
		request.URL = u
		if _, _, err := rig.do(t, request); err != nil {
			t.Fatal(err)
		}
		if all := rig.base.mutations; len(all) != 1 || all[0].url != u.String() || (all[0].key != "") != (len(rig.log.attempts) == 1) {
			t.Errorf("%+v", all)
		}
	})
}

// Whatever a refusal holds, it is handed on as it is or ends in an error.
func FuzzRefusal(f *testing.F) {
	f.Add(409, []byte(`{"error":{"type":"IdempotencyKeyInProgressException"}}`))
	f.Add(409, []byte(`{"error":"IdempotencyKeyInProgressException"}`))
	f.Add(422, []byte(`{"error":null}`))
	f.Add(503, []byte(`<html>`))
	f.Fuzz(func(t *testing.T, code int, body []byte) {
		if code < 200 || code > 599 {
			return
		}
		rig := newRigWith(t, func(o *client.Options) { o.MaxAttempts = 2 }, step{status: code, body: string(body)})
		got, text, err := rig.send(t)
		var s *client.StatusError
		switch {
		case err == nil && (got != code || text != string(body) || len(rig.base.mutations) != 1):
			t.Errorf("%d %q after %d attempts", got, text, len(rig.base.mutations))
		case err != nil && (!errors.As(err, &s) || s.Status != code || len(rig.base.mutations) != 2 || errors.Is(err, io.EOF)):
			t.Errorf("%v after %d attempts", err, len(rig.base.mutations))
		}
	})
}
