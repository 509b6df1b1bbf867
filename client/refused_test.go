package client_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/onceberg/onceberg/client"
)

// A refused configuration promises nothing, least of all that there are no keys: no
// mutation is sent without one on its account. The next one asks again.
func TestConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config step
		asked  int // before it is given up
	}{
		"400":             {status(400, "BadRequestException"), 1},
		"404":             {status(404, "NoSuchWarehouseException"), 1},
		"406":             {status(406, "UnsupportedOperationException"), 1},
		"501":             {status(501, "UnsupportedOperationException"), 1},
		"401":             {status(401, "NotAuthorizedException"), 1},
		"403":             {status(403, "ForbiddenException"), 1},
		"419":             {status(419, "AuthenticationTimeoutException"), 1},
		"401, nothing":    {step{status: 401}, 1},
		"403, HTML":       {page(403), 1},
		"407":             {page(407), 1},
		"400, HTML":       {page(400), 10},
		"404, HTML":       {page(404), 10},
		"404, nothing":    {step{status: 404}, 10},
		"404, text":       {step{status: 404, body: "default backend - 404"}, 10},
		"404, JSON":       {step{status: 404, body: `{"message":"no Route matched"}`}, 10},
		"405, HTML":       {page(405), 10},
		"501, HTML":       {page(501), 10},
		"503":             {page(503), 10},
		"200, HTML":       {page(200), 10},
		"204":             {step{status: 204}, 10},
		"307, no address": {step{status: 307}, 1},
		"304":             {step{status: 304}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, done)
			rig.base.configs = append(slices.Repeat([]step{test.config}, test.asked), step{status: 200, body: halfHour})
			_, _, err := rig.send(t)
			var e *client.Error
			var s *client.StatusError
			if !errors.As(err, &e) || e.Attempts != 0 || e.StateUnknown || !errors.As(err, &s) || s.Status != test.config.status {
				t.Errorf("%v", err)
			}
			if len(rig.base.mutations) != 0 || len(rig.base.questions) != test.asked {
				t.Errorf("%d mutations, asked %d times", len(rig.base.mutations), len(rig.base.questions))
			}
			if !rig.keyed(t, namespaces) || len(rig.base.questions) != test.asked+1 {
				t.Errorf("no key, or asked %d times", len(rig.base.questions))
			}
		})
	}
}

// While pods restart, an ingress answers by itself. That is waited out.
func TestConfigurationComesBack(t *testing.T) {
	t.Parallel()
	rig := newRig(t, done)
	rig.base.configs = []step{page(404), {status: 405}, page(503), {status: 200, body: halfHour}}
	if !rig.keyed(t, namespaces) || len(rig.base.questions) != 4 {
		t.Errorf("no key, or asked %d times", len(rig.base.questions))
	}
}

// What refuses one caller is nothing to another, who waits meanwhile.
func TestRefusalOfAnotherCaller(t *testing.T) {
	t.Parallel()
	g := &gate{entered: make(chan struct{}, 10), open: make(chan struct{})}
	rig := newRigWith(t, func(o *client.Options) { g.RoundTripper, o.Base = o.Base, g }, done)
	rig.base.configs = []step{status(403, "ForbiddenException"), {status: 200, body: halfHour}}
	first, second := make(chan error, 1), make(chan error, 1)
	send := func(r *http.Request, result chan error) {
		_, _, err := rig.do(t, r)
		result <- err
	}
	go send(post(t, namespaces), first)
	<-g.entered
	waits := make(chan struct{})
	go send(post(t, namespaces).WithContext(waiting{t.Context(), sync.OnceFunc(func() { close(waits) })}), second)
	<-waits
	close(g.open)
	if err := <-first; err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("the first: %v", err)
	}
	if err := <-second; err != nil || len(rig.base.mutations) != 1 || rig.base.mutations[0].key == "" {
		t.Errorf("the second: %v", err)
	}
}

// A redirect of the question is followed as http.Client would follow one of the
// mutation: credentials do not go to another host, nor into the open.
func TestConfigurationIsRedirected(t *testing.T) {
	t.Parallel()
	to := func(code int, url string) step {
		return step{status: code, header: http.Header{"Location": {url}}}
	}
	for name, test := range map[string]struct {
		from   string
		steps  []step
		want   string // the last question, or the error
		secret bool   // is sent along
	}{
		"other path": {"https://catalog.test", []step{to(308, "/api/v1/config"), {status: 200, body: halfHour}}, "https://catalog.test/api/v1/config", true},
		"encrypted":  {"http://catalog.test", []step{to(301, "https://catalog.test/v1/config"), {status: 200, body: halfHour}}, "https://catalog.test/v1/config", true},
		"other host": {"https://catalog.test", []step{to(302, "https://other.test/v1/config"), {status: 200, body: halfHour}}, "https://other.test/v1/config", false},
		"twice, lost": {
			"https://catalog.test",
			[]step{to(307, "/a"), {status: 502}, to(307, "/b"), page(404), {status: 200, body: halfHour}},
			"https://catalog.test/b", true,
		},
		"in the open":  {"https://catalog.test", []step{to(307, "http://catalog.test/v1/config")}, "redirects from https to http", false},
		"in a circle":  {"https://catalog.test", []step{to(307, "/v1/config")}, "redirects without end", false},
		"to the login": {"https://catalog.test", []step{to(302, "https://login.test/?state=secret"), page(200)}, "the answer was 200, not in Iceberg's form", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, done)
			rig.base.configs = test.steps
			request := post(t, test.from+"/v1/namespaces")
			request.Header.Set("Authorization", "Bearer secret")
			_, _, err := rig.do(t, request)
			if !strings.HasPrefix(test.want, "https://") {
				if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") || len(rig.base.mutations) != 0 {
					t.Errorf("%v, %d mutations", err, len(rig.base.mutations))
				}
				return
			}
			if err != nil || len(rig.base.mutations) != 1 || rig.base.mutations[0].key == "" {
				t.Fatalf("%v, %+v", err, rig.base.mutations)
			}
			last := rig.base.questions[len(rig.base.questions)-1]
			if last.url != test.want || (last.header.Get("Authorization") != "") != test.secret {
				t.Errorf("%+v", last)
			}
		})
	}
}

// A caller whose own request for the configuration was redirected goes on to send
// mutations to where it began, and need not be asked for again there, where the
// caller's parameters would be missing.
func TestCallerIsRedirected(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to string
		asked    int
	}{
		"other path":     {"https://catalog.test", "https://catalog.test/api", 2},
		"encrypted":      {"http://catalog.test", "https://catalog.test", 2},
		"into the open":  {"https://catalog.test", "http://catalog.test", 3},
		"somewhere else": {"https://catalog.test", "https://catalog.test/v1/config/of", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, done)
			rig.base.configs = []step{
				{status: 307, header: http.Header{"Location": {test.to + "/v1/config?warehouse=w"}}},
				{status: 200, body: halfHour},
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, test.from+"/v1/config?warehouse=w", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			response, err := (&http.Client{Transport: rig.Transport}).Do(request)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if !rig.keyed(t, test.from+"/v1/namespaces") || len(rig.base.questions) != test.asked {
				t.Errorf("no key, or asked %d times", len(rig.base.questions))
			}
		})
	}
}
