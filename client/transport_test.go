package client_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// Each mutation has one key, in all its attempts, and another than the next one.
func TestKeys(t *testing.T) {
	t.Parallel()
	rig := newRig(t, status(503, "", "Retry-After", "1"), status(500, ""), done)
	made := rig.clock.Now()
	for range 2 {
		request := post(t, namespaces)
		before := request.Header.Clone()
		if code, body, err := rig.do(t, request); err != nil || code != 200 || body != done.body {
			t.Fatalf("%d %q %v", code, body, err)
		}
		if diff := cmp.Diff(before, request.Header); diff != "" {
			t.Errorf("the caller's header was changed: %s", diff)
		}
	}
	all := rig.base.mutations
	if len(all) != 4 {
		t.Fatalf("%d attempts; want 3 and 1", len(all))
	}
	for i, s := range all {
		if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(s.key) {
			t.Errorf("%q is no UUIDv7", s.key)
		}
		if i < 3 && s.key != all[0].key || i == 3 && s.key == all[0].key {
			t.Errorf("attempt %d has the key %s", i, s.key)
		}
		if s.body != `{"namespace":["db"]}` || s.method != "POST" || s.url != namespaces || s.header.Get("X-Changed") != "" {
			t.Errorf("attempt %d: %+v", i, s)
		}
	}
	if millis := fmt.Sprintf("%012x", made.UnixMilli()); strings.ReplaceAll(all[0].key, "-", "")[:12] != millis {
		t.Errorf("key %s; want the clock's %s", all[0].key, millis)
	}
}

// The key is the random bytes it was given, so that a seed repeats a schedule.
func TestRandomIsInjected(t *testing.T) {
	t.Parallel()
	rig := newRigWith(t, func(o *client.Options) { o.Random = bytes.NewReader(bytes.Repeat([]byte{0xff}, 10)) }, done)
	if _, _, err := rig.send(t); err != nil {
		t.Fatal(err)
	}
	if key := rig.base.mutations[0].key; key[14:] != "7fff-bfff-ffffffffffff" {
		t.Errorf("key %s", key)
	}
	_, _, err := rig.send(t)
	var e *client.Error
	if !errors.As(err, &e) || e.Attempts != 0 || !errors.Is(err, io.EOF) || len(rig.base.mutations) != 1 {
		t.Errorf("without randomness: %v", err)
	}
}

// A caller's own key is kept and resent.
func TestGivenKey(t *testing.T) {
	t.Parallel()
	const key = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"
	rig := newRig(t, status(500, ""), done)
	rig.clock.now = time.UnixMilli(0x017F22E279B0).Add(time.Minute)
	request := post(t, namespaces)
	request.Header.Set(keyHeader, key)
	if _, _, err := rig.do(t, request); err != nil {
		t.Fatal(err)
	}
	if all := rig.base.mutations; len(all) != 2 || all[0].key != key || all[1].key != key {
		t.Errorf("%+v", all)
	}
}

// A caller's key that is older than its lifetime is sent once, since a second time
// might be executed a second time. Of one that says nothing about its age, or
// lies, the age counts from now.
func TestAgeOfGivenKey(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(0x017F22E279B0)
	for name, test := range map[string]struct {
		key  string
		now  time.Time
		want int
	}{
		"old":             {"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", now.Add(31 * time.Minute), 1},
		"almost":          {"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", now.Add(30*time.Minute - 150*time.Millisecond), 2},
		"young":           {"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", now, 3},
		"from the future": {"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", now.Add(-time.Hour), 3},
		"version 4":       {"017f22e2-79b0-4cc3-98c4-dc0c0c07398f", now.Add(31 * time.Minute), 3},
		"no UUID":         {"mine", now, 3},
		"empty":           {"", now, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRigWith(t, func(o *client.Options) { o.MaxAttempts = 3 }, status(500, ""))
			rig.clock.now = test.now
			request := post(t, namespaces)
			request.Header.Set(keyHeader, test.key)
			_, _, err := rig.do(t, request)
			var e *client.Error
			if !errors.As(err, &e) || e.Key != test.key || e.Attempts != test.want || len(rig.base.mutations) != test.want {
				t.Errorf("%d attempts, %v; want %d", len(rig.base.mutations), err, test.want)
			}
			if errors.Is(err, client.ErrLifetime) != (test.want < 3) {
				t.Errorf("%v", err)
			}
		})
	}
}

// Reads, undeclared operations and whatever else is none of the table's goes by
// as it is, key and all, and once.
func TestUntouched(t *testing.T) {
	t.Parallel()
	for _, request := range []struct{ method, url string }{
		{"GET", namespaces},
		{"", namespaces},
		{"HEAD", namespaces + "/db"},
		{"PUT", namespaces},
		{"POST", "http://catalog.test/v1/oauth/tokens"},
		{"POST", namespaces + "/db/tables/t/metrics"},
		{"POST", namespaces + "/db/tables/t/sign"},
		{"POST", namespaces + "/namespaces/tables/tables/metrics"},
		{"POST", "http://catalog.test/namespaces"},
		{"POST", "http://catalog.test/v2/namespaces"},
		{"POST", namespaces + "/"},
		{"POST", "http://catalog.test/v1//namespaces"},
		{"DELETE", namespaces + "/"},
		{"DELETE", namespaces + "/db/tables/"},
	} {
		for _, key := range []string{"", "caller's"} {
			t.Run(request.method+" "+request.url+" "+key, func(t *testing.T) {
				t.Parallel()
				rig := newRig(t, status(500, ""))
				r := post(t, request.url)
				r.Method = request.method
				if key != "" {
					r.Header.Set(keyHeader, key)
				}
				if code, _, err := rig.do(t, r); err != nil || code != 500 {
					t.Errorf("%d %v", code, err)
				}
				if all := rig.base.mutations; len(all) != 1 || all[0].key != key {
					t.Errorf("%+v", all)
				}
				if len(rig.base.questions) != 0 || len(rig.log.attempts) != 0 {
					t.Errorf("asked %d times, reported %d", len(rig.base.questions), len(rig.log.attempts))
				}
			})
		}
	}
}

// A request whose target is not its path is none of the table's.
func TestOpaque(t *testing.T) {
	t.Parallel()
	rig := newRig(t, status(500, ""))
	r := post(t, namespaces)
	r.URL.Opaque = "//catalog.test/v1/oauth/tokens"
	if code, _, err := rig.do(t, r); err != nil || code != 500 || len(rig.base.mutations) != 1 || rig.base.mutations[0].key != "" {
		t.Errorf("%d %v %+v", code, err, rig.base.mutations)
	}
}

// An error of the base is a read's own, too.
func TestErrorOfARead(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	rig := newRig(t, step{err: lost})
	r := post(t, namespaces)
	r.Method = http.MethodGet
	if _, err := rig.RoundTrip(r); err != lost { //nolint:errorlint // as it is
		t.Errorf("%v", err)
	}
}

// The request that an answer belongs to is the one that was sent.
func TestRequestOfTheAnswer(t *testing.T) {
	t.Parallel()
	rig := newRig(t, status(500, ""), done)
	request := post(t, namespaces)
	response, err := rig.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Request.Header.Get(keyHeader); got == "" || got != rig.base.mutations[1].key {
		t.Errorf("key %q", got)
	}
	if response.Request.Context() != request.Context() {
		t.Error("the request has a context that is over")
	}
}

func TestBadOptions(t *testing.T) {
	t.Parallel()
	read := &runtime.Operation{ID: "read", Method: "GET", Path: "/v1/x", Idempotent: true, KeyHeader: keyHeader}
	for want, change := range map[string]func(*client.Options){
		"Options.Operations is empty":                               func(o *client.Options) { o.Operations = nil },
		"Options.Operations[0] is nil":                              func(o *client.Options) { o.Operations = []*runtime.Operation{nil} },
		"Options.Operations has no operation that takes":            func(o *client.Options) { o.Operations = generated.Operations[:1] },
		"Operations[0] (read): it takes a key, but GET is a read":   func(o *client.Options) { o.Operations = []*runtime.Operation{read} },
		`Operations[0] (a): the path "v1/a" must begin`:             func(o *client.Options) { o.Operations = []*runtime.Operation{{ID: "a", Path: "v1/a"}} },
		`Operations[0] (a): the path "/{a}" must begin`:             func(o *client.Options) { o.Operations = []*runtime.Operation{{ID: "a", Path: "/{a}"}} },
		`Operations[0] (a): it takes a key, but KeyHeader is empty`: func(o *client.Options) { o.Operations = []*runtime.Operation{{ID: "a", Path: "/a", Idempotent: true}} },
		"Options.MaxAttempts must be at least 1: -1":                func(o *client.Options) { o.MaxAttempts = -1 },
		"Options.AttemptTimeout must not be negative: -1s":          func(o *client.Options) { o.AttemptTimeout = -time.Second },
		"Options.MinBackoff must not be negative: -1s":              func(o *client.Options) { o.MinBackoff = -time.Second },
		"Options.MaxBackoff must be at least MinBackoff: 1ms":       func(o *client.Options) { o.MaxBackoff = time.Millisecond },
		"Options.MaxBuffer must not be negative: -1":                func(o *client.Options) { o.MaxBuffer = -1 },
	} {
		o := client.Options{Operations: generated.Operations}
		change(&o)
		if _, err := client.NewTransport(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

type closable struct {
	http.RoundTripper
	closed int
}

func (c *closable) CloseIdleConnections() { c.closed++ }

func TestCloseIdleConnections(t *testing.T) {
	t.Parallel()
	c := &closable{}
	rig := newRigWith(t, func(o *client.Options) { o.Base = c })
	(&http.Client{Transport: rig.Transport}).CloseIdleConnections()
	if c.closed != 1 {
		t.Errorf("closed %d times", c.closed)
	}
	newRig(t).CloseIdleConnections() // its base has no such method
}
