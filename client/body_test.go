package client_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/client"
)

// Every attempt has the same bytes, wherever they come from.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	const text = `{"namespace":["db"]}`
	for name, body := range map[string]func(r *http.Request) *tracked{
		"GetBody": func(r *http.Request) *tracked {
			b := &tracked{Reader: strings.NewReader("not this one")}
			r.Body = b
			return b
		},
		"no GetBody": func(r *http.Request) *tracked {
			b := &tracked{Reader: strings.NewReader(text)}
			r.Body, r.GetBody = b, nil
			return b
		},
		"no length": func(r *http.Request) *tracked {
			b := &tracked{Reader: strings.NewReader(text)}
			r.Body, r.GetBody, r.ContentLength = b, nil, -1
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, status(500, ""), status(502, ""), done)
			r := post(t, namespaces)
			b := body(r)
			if _, _, err := rig.do(t, r); err != nil {
				t.Fatal(err)
			}
			for i, s := range rig.base.mutations {
				if s.body != text {
					t.Errorf("attempt %d: %q", i+1, s.body)
				}
			}
			if len(rig.base.mutations) != 3 || !b.closed {
				t.Errorf("%d attempts, body closed: %v", len(rig.base.mutations), b.closed)
			}
		})
	}
}

func TestNoBody(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]io.ReadCloser{
		"nil": nil, "NoBody": http.NoBody, "empty": io.NopCloser(strings.NewReader("")),
	} {
		rig := newRig(t, status(500, ""), step{status: 204})
		r := post(t, namespaces+"/db")
		r.Method, r.Body, r.GetBody, r.ContentLength, r.Header = http.MethodDelete, body, nil, 0, nil
		code, _, err := rig.do(t, r)
		if all := rig.base.mutations; err != nil || code != 204 || len(all) != 2 || all[0].body != "" || all[0].key == "" {
			t.Errorf("%s: %d %v %+v", name, code, err, all)
		}
	}
}

// A body that could not be sent twice is not sent once.
func TestBodyOfNoUse(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	for name, test := range map[string]struct {
		change   func(*http.Request)
		want     string
		is       error
		attempts int
	}{
		"too large": {func(r *http.Request) {
			r.Body, r.GetBody, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat("x", 101))), nil, -1
		}, "larger than 100 bytes", client.ErrBodyTooLarge, 0},
		"unreadable": {func(r *http.Request) {
			r.Body, r.GetBody = io.NopCloser(broken{gone}), nil
		}, "reading the request's body: gone", gone, 0},
		"shorter than it says": {
			func(r *http.Request) { r.GetBody, r.ContentLength = nil, 99 },
			"20 bytes, its ContentLength says 99", nil, 0,
		},
		"not there": {func(r *http.Request) {
			r.GetBody = func() (io.ReadCloser, error) { return nil, gone }
		}, "opening the request's body again: gone", gone, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRigWith(t, func(o *client.Options) { o.MaxBuffer = 100 }, done)
			r := post(t, namespaces)
			test.change(r)
			_, _, err := rig.do(t, r)
			var e *client.Error
			if !errors.As(err, &e) || e.StateUnknown || e.Attempts != test.attempts || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v; want %s", err, test.want)
			}
			if test.is != nil && !errors.Is(err, test.is) || len(rig.base.mutations) != 0 {
				t.Errorf("%v, %d sent", err, len(rig.base.mutations))
			}
		})
	}
	rig := newRigWith(t, func(o *client.Options) { o.MaxBuffer = 100 }, done)
	r := post(t, namespaces)
	r.Body, r.GetBody, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat("x", 100))), nil, -1
	if _, _, err := rig.do(t, r); err != nil {
		t.Errorf("as large as the limit: %v", err)
	}
}
