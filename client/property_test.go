package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/client/clienttest"
)

// mutationHeader tells the proxy which schedule a request follows.
const mutationHeader = "X-Mutation"

// plan is one logical mutation and what happens to its attempts.
type plan struct {
	name    string // of the namespace
	exists  bool   // it exists before
	drop    bool
	slow    bool // its handler takes longer than the server waits
	faults  []clienttest.Fault
	attempt int // the next one
}

func (p *plan) mutation() string {
	if p.drop {
		return "drop " + p.name
	}
	return "create " + p.name
}

// refused tells whether the operation itself says no.
func (p *plan) refused() bool { return p.drop != p.exists }

func drawPlans(rt *rapid.T, faults []clienttest.Fault, most int) []*plan {
	plans := make([]*plan, rapid.IntRange(1, 4).Draw(rt, "mutations"))
	for i := range plans {
		plans[i] = &plan{
			name:   fmt.Sprintf("n%d", i),
			exists: rapid.Bool().Draw(rt, "exists"),
			drop:   rapid.Bool().Draw(rt, "drop"),
			slow:   rapid.Bool().Draw(rt, "slow"),
			faults: rapid.SliceOfN(rapid.SampledFrom(faults), 0, most).Draw(rt, "faults"),
		}
	}
	return plans
}

// run plays the plans at the same time and tells what came of each, once nothing
// goes on any more.
func run(t testing.TB, plans []*plan, attempts int, check func(c *catalog, p *plan, status int, err error)) {
	var mu sync.Mutex
	byName := map[string]*plan{}
	for _, p := range plans {
		byName[p.name] = p
	}
	c := newCatalog(t, time.Millisecond, func(r *http.Request) clienttest.Fault {
		mu.Lock()
		defer mu.Unlock()
		p := byName[r.Header.Get(mutationHeader)]
		if p == nil || r.Method == http.MethodGet || p.attempt == len(p.faults) {
			return clienttest.Fault{}
		}
		p.attempt++
		return p.faults[p.attempt-1]
	})
	c.begun = func(ctx context.Context, mutation string) error {
		_, name, _ := strings.Cut(mutation, " ")
		if byName[name].slow {
			select {
			case <-time.After(3 * time.Millisecond):
			case <-ctx.Done():
			}
		}
		return nil
	}
	safe, closeClient := newClient(t, func(o *client.Options) { o.MaxAttempts = attempts })
	statuses, errs := make([]int, len(plans)), make([]error, len(plans))
	var wait sync.WaitGroup
	for _, p := range plans {
		c.exists[p.name] = p.exists
	}
	for i, p := range plans {
		wait.Go(func() { statuses[i], errs[i] = p.send(t.Context(), safe, c.url) })
	}
	wait.Wait()
	closeClient()
	c.close()
	for i, p := range plans {
		check(c, p, statuses[i], errs[i])
	}
}

func (p *plan) send(ctx context.Context, c *http.Client, url string) (int, error) {
	method, body := http.MethodPost, fmt.Sprintf(`{"namespace":[%q]}`, p.name)
	if p.drop {
		method, url, body = http.MethodDelete, url+"/"+p.name, ""
	}
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(mutationHeader, p.name)
	response, err := c.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// Given enough attempts, each mutation is applied once and reported so, or refused
// by the operation itself and reported so, whatever happens on the way.
func TestAppliedOnceAndReportedSo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		plans := drawPlans(rt, faults(), 6)
		run(t, plans, 1000, func(c *catalog, p *plan, status int, err error) {
			applied := c.count(p.mutation())
			switch {
			case err != nil:
				rt.Errorf("%s through %v: %v", p.mutation(), p.faults, err)
			case p.refused() && (status < 400 || status > 499 || applied != 0):
				rt.Errorf("%s through %v: %d, applied %d times; want a refusal", p.mutation(), p.faults, status, applied)
			case !p.refused() && (status < 200 || status > 299 || applied != 1):
				rt.Errorf("%s through %v: %d, applied %d times; want once", p.mutation(), p.faults, status, applied)
			}
		})
	})
}

// With few attempts, and gateways that refuse the caller in between or answer by
// themselves, the outcome may stay open. What is said is true all the same: no success that was not
// applied, no failure that was, never twice.
func TestNothingFalseIsReported(t *testing.T) {
	t.Parallel()
	all := faults()
	for _, status := range []int{401, 403, 419, 421, 501, 307, 400, 404, 405, 409} {
		all = append(all,
			clienttest.Fault{Kind: clienttest.Refuse, Status: status},
			clienttest.Fault{Kind: clienttest.Refuse, Status: status, Body: "<html>"})
	}
	rapid.Check(t, func(rt *rapid.T) {
		plans := drawPlans(rt, all, 6)
		run(t, plans, rapid.IntRange(1, 4).Draw(rt, "attempts"), func(c *catalog, p *plan, status int, err error) {
			applied := c.count(p.mutation())
			var e *client.Error
			var want string
			switch {
			case applied > 1:
				want = "at most one application"
			case err != nil && !errors.As(err, &e):
				want = "a *client.Error"
			case err != nil && !e.StateUnknown && applied != 0:
				want = "an error that leaves it open"
			case err == nil && (status >= 200 && status <= 299) != (applied == 1):
				want = "the truth"
			}
			if want != "" {
				rt.Errorf("%s through %v: %d %v, applied %d times; want %s", p.mutation(), p.faults, status, err, applied, want)
			}
		})
	})
}
