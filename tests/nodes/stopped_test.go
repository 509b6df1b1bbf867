package nodes

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
)

// stopped is a request that a node stopped at a point.
type stopped struct {
	request

	at      point
	first   answer      // to the attempt that stopped
	retries [2][]answer // at other nodes, by two clients at once; the telling ones last
	replay  answer      // by the node where it stopped, in the end
}

// everyKind returns requests for every point, of every kind that a second
// execution fails on, and puts the resources that they need. With a hook there
// are also some that a second execution would apply again, where only the hook
// can tell.
func (c *cluster) everyKind(f form, prefix string) (requests []*stopped) {
	c.t.Helper()
	for _, at := range allPoints {
		name := fmt.Sprintf("%s-%s", prefix, at)
		c.put(namespace("old-"+name), table(name))
		for _, r := range []request{createNamespace(name), dropNamespace("old-" + name), updateTable(name, 1)} {
			requests = append(requests, &stopped{request: r, at: at})
		}
		if f == reconciling && at == afterWrite {
			c.put(namespace("counted-" + name))
			requests = append(requests, &stopped{request: updateProperties("counted-" + name), at: at})
		}
	}
	return requests
}

// stop sends requests to a node and returns once they have all stopped in it.
// answered waits for their answers.
func (c *cluster) stop(n *node, requests []*stopped) (answered func()) {
	c.t.Helper()
	return c.stopIn(c.t.Context(), n, requests)
}

// stopIn does so for clients that hang up when the context ends.
func (c *cluster) stopIn(ctx context.Context, n *node, requests []*stopped) (answered func()) {
	c.t.Helper()
	var sent sync.WaitGroup
	for _, s := range requests {
		sent.Go(func() { s.first = n.send(ctx, s.request, stopHeader, string(s.at)) })
		n.reached(s.at, s.key)
	}
	return sent.Wait
}

// retryAll retries every request by two clients at once, which begin at another
// node each.
func (c *cluster) retryAll(requests []*stopped, nodes [2]*node) {
	together(2*len(requests), func(i int) {
		s, j := requests[i/2], i%2
		s.retries[j] = c.retry(c.t.Context(), s.request, nodes[j], nodes[1-j])
	})
}

// replayAll retries every request at one node.
func (c *cluster) replayAll(requests []*stopped, n *node) {
	together(len(requests), func(i int) {
		requests[i].replay = last(c.retry(c.t.Context(), requests[i].request, n))
	})
}

// applied is how often the request had been applied when it stopped.
func (s *stopped) applied(f form) int {
	if s.at == beforeAnswer || s.at == afterWrite && f != transactional {
		return 1
	}
	return 0
}

// answers returns all that clients were told.
func (s *stopped) answers() []answer {
	all := []answer{s.first}
	all = append(append(all, s.retries[0]...), s.retries[1]...)
	return append(all, s.replay)
}

// historyOf collects the answers to requests.
func historyOf(requests []*stopped) *history {
	h := &history{}
	for _, s := range requests {
		h.add(s.request, s.answers()...)
	}
	return h
}

// checkBusy wants what tells a client to come back: 503 where a client would take
// a 409 for a failed commit. Case A1.
func (s *stopped) checkBusy(t *testing.T, a answer) {
	t.Helper()
	if a.err != nil {
		t.Errorf("%v: %v", s.request, a)
		return
	}
	want := http.StatusConflict
	if s.operation == "updateTable" {
		want = http.StatusServiceUnavailable
	}
	seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
	if a.status != want || err != nil || seconds < 1 {
		t.Errorf("%v: %v with Retry-After %q; want %d", s.request, a, a.header.Get("Retry-After"), want)
	}
}
