package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
)

// No attempt is made when the key might have been forgotten.
func TestLifetimeEnds(t *testing.T) {
	t.Parallel()
	rig := newRigWith(t, func(o *client.Options) { o.MaxAttempts = 1000 }, status(503, "", "Retry-After", "60"))
	began := rig.clock.Now()
	_, _, err := rig.send(t)
	var e *client.Error
	if !errors.As(err, &e) || !errors.Is(err, client.ErrLifetime) || e.Attempts < 27 || e.Attempts > 30 {
		t.Errorf("%v", err)
	}
	if took := rig.clock.Now().Sub(began); took >= 30*time.Minute || took < 28*time.Minute {
		t.Errorf("the last attempt was made after %v", took)
	}
}

// A caller's key that claims to be made later does not live longer.
func TestLifetimeOfAKeyFromTheFuture(t *testing.T) {
	t.Parallel()
	rig := newRigWith(t, func(o *client.Options) { o.MaxAttempts = 1000 }, status(503, "", "Retry-After", "60"))
	began := rig.clock.Now()
	request := post(t, namespaces)
	request.Header.Set(keyHeader, "ffffffff-ffff-7cc3-98c4-dc0c0c07398f")
	_, _, err := rig.do(t, request)
	if took := rig.clock.Now().Sub(began); !errors.Is(err, client.ErrLifetime) || took >= 30*time.Minute {
		t.Errorf("%v after %v", err, took)
	}
}

// A machine that slept through the lifetime does not wake up to a resend.
func TestLifetimeEndsDuringAPause(t *testing.T) {
	t.Parallel()
	rig := newRig(t, status(500, ""), done)
	rig.clock.waited = func(time.Duration) { rig.clock.advance(time.Hour) }
	_, _, err := rig.send(t)
	if !errors.Is(err, client.ErrLifetime) || len(rig.base.mutations) != 1 {
		t.Errorf("%d attempts, %v", len(rig.base.mutations), err)
	}
}

// A pause that would end after the deadline is not begun; the error is whole then,
// in http.Client too.
func TestDeadlineBeforeTheNextAttempt(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*rig, *http.Request) error{
		"context": func(r *rig, request *http.Request) error {
			ctx, cancel := context.WithTimeout(request.Context(), 30*time.Second)
			defer cancel()
			_, err := (&http.Client{Transport: r.Transport}).Do(request.WithContext(ctx))
			return err
		},
		"Client.Timeout": func(r *rig, request *http.Request) error {
			_, err := (&http.Client{Transport: r.Transport, Timeout: 30 * time.Second}).Do(request)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t, status(503, "", "Retry-After", "31"))
			err := do(rig, post(t, namespaces))
			var e *client.Error
			var s *client.StatusError
			if !errors.As(err, &e) || !errors.As(err, &s) || !errors.Is(err, context.DeadlineExceeded) || e.Attempts != 1 {
				t.Fatalf("%v", err)
			}
			var timeout interface{ Timeout() bool }
			if !errors.As(err, &timeout) || !timeout.Timeout() {
				t.Errorf("%v is no timeout", err)
			}
		})
	}
}

// The context ends pauses as well as attempts.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	rig := newRig(t, status(500, ""))
	ctx, cancel := context.WithCancel(t.Context())
	rig.clock.waited = func(time.Duration) { cancel() }
	_, _, err := rig.do(t, post(t, namespaces).WithContext(ctx))
	var s *client.StatusError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &s) || len(rig.base.mutations) != 1 {
		t.Errorf("%d attempts, %v", len(rig.base.mutations), err)
	}
	_, _, err = rig.do(t, post(t, namespaces).WithContext(ctx))
	if !errors.Is(err, context.Canceled) || len(rig.base.mutations) != 1 {
		t.Errorf("a context that has ended: %d attempts, %v", len(rig.base.mutations), err)
	}
}

// silent is a server that answers no mutation, or not to its end.
func silent(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, halfHour)
		return
	}
	if r.URL.Query().Has("begun") {
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, `{"namesp`)
		_ = http.NewResponseController(w).Flush()
	}
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// overNetwork returns a Transport with a real network below, which the test closes.
func overNetwork(t *testing.T, change func(*client.Options)) *client.Transport {
	t.Helper()
	network := &http.Transport{}
	t.Cleanup(network.CloseIdleConnections)
	return newTransport(t, network, change)
}

// newTransport returns a Transport that comes back at once.
func newTransport(t *testing.T, network http.RoundTripper, change func(*client.Options)) *client.Transport {
	t.Helper()
	o := client.Options{Operations: generated.Operations, Base: network, MinBackoff: time.Microsecond, MaxBackoff: time.Millisecond}
	change(&o)
	transport, err := client.NewTransport(o)
	if err != nil {
		t.Fatal(err)
	}
	return transport
}

// An answer that does not come, or not to its end, is given up.
func TestAttemptTimeout(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", "?begun"} {
		synctest.Test(t, func(t *testing.T) {
			transport := overPipes(t, silent, func(o *client.Options) { o.AttemptTimeout, o.MaxAttempts = 20*time.Second, 3 })
			began := time.Now()
			_, err := transport.RoundTrip(post(t, namespaces+query))
			var e *client.Error
			if !errors.As(err, &e) || e.Attempts != 3 || !e.StateUnknown || !strings.Contains(err.Error(), "no answer within 20s") {
				t.Errorf("%q: %v", query, err)
			}
			if took := time.Since(began).Truncate(time.Second); took != time.Minute {
				t.Errorf("%q: three attempts took %v", query, took)
			}
		})
	}
}

// http.Client's timeout ends an attempt, and is seen as one.
func TestClientTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &http.Client{Transport: overPipes(t, silent, func(*client.Options) {}), Timeout: 5 * time.Second}
		_, err := c.Do(post(t, namespaces))
		var timeout interface{ Timeout() bool }
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() ||
			!strings.Contains(err.Error(), "may have been applied") {
			t.Errorf("%v", err)
		}
	})
}

// What is streamed after the limit has time beyond the attempt's.
func TestLargeAnswerHasTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				_, _ = io.WriteString(w, halfHour)
				return
			}
			_, _ = io.WriteString(w, strings.Repeat("x", 200))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Minute) //nolint:forbidigo // the bubble's time, not ours
			_, _ = io.WriteString(w, "rest")
		}
		transport := overPipes(t, slow, func(o *client.Options) { o.MaxBuffer, o.AttemptTimeout = 100, 5*time.Second })
		response, err := transport.RoundTrip(post(t, namespaces))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || len(body) != 204 || response.Body.Close() != nil {
			t.Errorf("%d bytes, %v", len(body), err)
		}
	})
}

// The system's clock is the default: pauses take their time, and no longer than
// the context.
func TestSystemClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rig := newRigWith(t, func(o *client.Options) { o.Clock = nil }, status(503, ""), done)
		began := time.Now()
		if _, _, err := rig.send(t); err != nil || time.Since(began) < 50*time.Millisecond || time.Since(began) > 100*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		rig = newRigWith(t, func(o *client.Options) { o.Clock = nil }, status(503, "", "Retry-After", "60"))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, cancel)
		began = time.Now()
		if _, _, err := rig.do(t, post(t, namespaces).WithContext(ctx)); !errors.Is(err, context.Canceled) || time.Since(began) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
