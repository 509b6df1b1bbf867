package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/runtime"
)

// faults are all that can happen to an exchange on its way.
func faults() []clienttest.Fault {
	all := []clienttest.Fault{
		{Kind: clienttest.Drop},
		{Kind: clienttest.Lose},
		{Kind: clienttest.Cut},
		{Kind: clienttest.Reset},
		{Kind: clienttest.Abandon},
		{Kind: clienttest.Duplicate},
	}
	for _, kind := range []clienttest.Kind{clienttest.Refuse, clienttest.Replace} {
		for _, status := range []int{500, 502, 503, 504} {
			all = append(all, clienttest.Fault{Kind: kind, Status: status})
		}
		all = append(all,
			clienttest.Fault{Kind: kind, Status: 503, RetryAfter: "1"},
			clienttest.Fault{Kind: kind, Status: 200, Body: "<html>We are back soon</html>"})
	}
	// Nothing that has handed a request on answers so.
	return append(all, clienttest.Fault{Kind: clienttest.Refuse, Status: 429}, clienttest.Fault{Kind: clienttest.Refuse, Status: 429, RetryAfter: "2"})
}

// Through each fault, twice in a row, a namespace is created and dropped once, and
// reported so; without the Transport the same fault is an error or a wrong
// refusal.
func TestEachFault(t *testing.T) {
	t.Parallel()
	for _, fault := range faults() {
		t.Run(fault.String(), func(t *testing.T) {
			t.Parallel()
			var mutations atomic.Int32
			c := newCatalog(t, time.Minute, func(r *http.Request) clienttest.Fault {
				if r.Method != http.MethodGet && mutations.Add(1)%3 != 0 {
					return fault
				}
				return clienttest.Fault{}
			})
			defer c.close()
			l := &log{}
			safe, closeClient := newClient(t, func(o *client.Options) { o.OnAttempt = l.add })
			defer closeClient()

			response, err := safe.Do(post(t, c.url))
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if response.StatusCode != 200 || !strings.Contains(string(body), `"namespace":["db"]`) || err != nil {
				t.Errorf("create: %d %q %v", response.StatusCode, body, err)
			}
			mutations.Store(0)
			drop, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, c.url+"/db", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			if response, err = safe.Do(drop); err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != 204 || c.count("create db") != 1 || c.count("drop db") != 1 {
				t.Errorf("drop: %d, applied %v", response.StatusCode, c.applied)
			}
			// Only what the server has heard of can be replayed; of two at once,
			// either may be first.
			last := l.attempts[len(l.attempts)-1]
			if last.Replayed != reaches(fault) && fault.Kind != clienttest.Duplicate {
				t.Errorf("replayed: %v", last.Replayed)
			}
		})
	}
}

func reaches(f clienttest.Fault) bool {
	return f.Kind != clienttest.Drop && f.Kind != clienttest.Refuse
}

// While the first attempt runs, operations without unknown state answer 409, and
// the others 503. Both are waited out.
func TestFirstAttemptRuns(t *testing.T) {
	t.Parallel()
	var attempts atomic.Int32
	runs, finish := make(chan struct{}), make(chan struct{})
	c := newCatalog(t, time.Millisecond, func(r *http.Request) clienttest.Fault {
		switch {
		case r.Method == http.MethodGet:
		case attempts.Add(1) == 1:
			return clienttest.Fault{Kind: clienttest.Abandon}
		default:
			<-runs // or the second would be the one that runs
		}
		return clienttest.Fault{}
	})
	defer c.close()
	c.begun = func(ctx context.Context, _ string) error {
		close(runs)
		select {
		case <-finish:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	l := &log{}
	safe, closeClient := newClient(t, func(o *client.Options) {
		o.MaxAttempts = 100
		o.OnAttempt = func(a client.Attempt) {
			if l.add(a); a.Number == 4 {
				close(finish)
			}
		}
	})
	defer closeClient()
	response, err := safe.Do(post(t, c.url))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != 200 || c.count("create db") != 1 || len(l.attempts) < 5 {
		t.Errorf("%d after %d attempts, applied %v", response.StatusCode, len(l.attempts), c.applied)
	}
	for _, a := range l.attempts[1:4] {
		if s, ok := a.Cause.(*client.StatusError); !ok || s.Status != 409 || s.Type != runtime.TypeInProgress || a.Pause < time.Second { //nolint:errorlint // not wrapped
			t.Errorf("%+v", a)
		}
	}
}

// A handler that fails after it has applied something leaves the mutation in
// doubt. The retry finds its trace, which the server does not call a refusal, and
// the client must not either.
func TestHandlerFailsInDoubt(t *testing.T) {
	t.Parallel()
	c := newCatalog(t, time.Minute, nil)
	defer c.close()
	var once sync.Once
	c.begun = func(_ context.Context, mutation string) (err error) {
		once.Do(func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.exists["db"], c.applied[mutation] = true, 1
			err = runtime.Errorf(http.StatusInternalServerError, "", "lost my database")
		})
		return err
	}
	safe, closeClient := newClient(t, func(o *client.Options) { o.MaxAttempts = 3 })
	defer closeClient()
	_, err := safe.Do(post(t, c.url))
	if err == nil || c.count("create db") != 1 ||
		!strings.Contains(err.Error(), "after 3 attempts and may have been applied; all attempts are used up: the answer was 500 "+runtime.TypeStateUnknown) {
		t.Errorf("%v, applied %v", err, c.applied)
	}
}

// A refusal is a refusal through any fault, and nothing is applied.
func TestRefusalThroughFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range faults() {
		var mutations atomic.Int32
		c := newCatalog(t, time.Minute, func(r *http.Request) clienttest.Fault {
			if r.Method != http.MethodGet && mutations.Add(1) == 1 {
				return fault
			}
			return clienttest.Fault{}
		})
		c.exists["db"] = true
		safe, closeClient := newClient(t, func(*client.Options) {})
		response, err := safe.Do(post(t, c.url))
		if err != nil {
			t.Errorf("%v: %v", fault, err)
		} else if _ = response.Body.Close(); response.StatusCode != 409 || len(c.applied) != 0 {
			t.Errorf("%v: %d, applied %v", fault, response.StatusCode, c.applied)
		}
		closeClient()
		c.close()
	}
}

// Without keys advertised, the Transport resends nothing, and the fault is the
// client's.
func TestNoLifetime(t *testing.T) {
	t.Parallel()
	var keyed, mutations atomic.Int32
	c := newCatalog(t, time.Minute, func(r *http.Request) clienttest.Fault {
		if r.Method == http.MethodGet {
			return clienttest.Fault{}
		}
		mutations.Add(1)
		if r.Header.Get(keyHeader) != "" {
			keyed.Add(1)
		}
		return clienttest.Fault{Kind: clienttest.Lose}
	})
	defer c.close()
	c.lifetime = 0
	plain, closeClient := newClient(t, func(*client.Options) {})
	defer closeClient()
	if _, err := plain.Do(post(t, c.url)); err == nil || keyed.Load() != 0 || mutations.Load() != 1 || c.count("create db") != 1 {
		t.Errorf("%v, %d keyed of %d", err, keyed.Load(), mutations.Load())
	}
}

// Many at once, over the same connections: each is applied once.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	all := faults()
	c := newCatalog(t, time.Minute, func(*http.Request) clienttest.Fault {
		if i := int(n.Add(1)); i%2 == 0 {
			return all[i/2%len(all)]
		}
		return clienttest.Fault{}
	})
	defer c.close()
	safe, closeClient := newClient(t, func(o *client.Options) { o.MaxAttempts = 100 })
	defer closeClient()
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			text := fmt.Sprintf(`{"namespace":["n%d"]}`, i)
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url, strings.NewReader(text))
			if err != nil {
				t.Error(err)
				return
			}
			request.Header.Set("Content-Type", "application/json")
			response, err := safe.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			_ = response.Body.Close()
			if got := c.count(fmt.Sprintf("create n%d", i)); response.StatusCode != 200 || got != 1 {
				t.Errorf("%d: %d, applied %d times", i, response.StatusCode, got)
			}
		})
	}
	wait.Wait()
}
