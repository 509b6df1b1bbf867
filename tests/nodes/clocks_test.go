package nodes

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/internal/testdb"
)

// The clocks of the nodes, and of the clients that make the keys, are off by
// these.
var skews = [3]time.Duration{90 * time.Second, -90 * time.Second, 0}

// What the skewed nodes wait for a first attempt, and how long its lease is: two such
// waits outlast it, and a node that lives has two thirds of it to be late to renew it.
const (
	skewedWait  = 4 * time.Second
	skewedLease = 6 * time.Second
)

// TestSkewedClocks runs nodes whose clocks are minutes apart, and that a key's age
// means nothing to. Case D8.
func TestSkewedClocks(t *testing.T) {
	t.Parallel()
	for _, f := range []form{twoPhase, transactional} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			// By the clocks of some, keys are older than their lifetime.
			c := newCluster(t, testdb.Postgres(t), nodeConfig{
				Form: f, Lease: skewedLease, WaitTimeout: skewedWait, Lifetime: time.Minute,
			}, func(i int, config *nodeConfig) { config.Skew = skews[i] })
			c.agreeOnRecords()
			if f == twoPhase {
				c.takeNothingFromTheLiving()
				c.takeFromTheDeadInTime()
			}
		})
	}
}

// agreeOnRecords executes keys of every age on every node, and wants every other
// node to replay them.
func (c *cluster) agreeOnRecords() {
	for i, first := range c.nodes {
		for _, age := range skews {
			r := aged(createNamespace(fmt.Sprintf("on-%s-%v", first.config.Name, age)), age)
			executed := first.send(c.t.Context(), r)
			for _, n := range []*node{c.nodes[(i+1)%3], c.nodes[(i+2)%3]} {
				if a := n.send(c.t.Context(), r); !executed.success() || !a.equal(executed) || !a.replayed() {
					c.t.Errorf("a key %v old: %v, then %v", age, executed, a)
				}
			}
		}
	}
}

// takeNothingFromTheLiving holds a request back on every node for longer than its
// lease, and asks the others for it: nobody takes it over, and clients are told to stay
// away for a time that makes sense.
func (c *cluster) takeNothingFromTheLiving() {
	requests := make([]*stopped, len(c.nodes))
	answered := make([]func(), len(c.nodes))
	for i, n := range c.nodes {
		name := "held-by-" + n.config.Name
		c.put(table(name))
		requests[i] = &stopped{request: aged(updateTable(name, 1), skews[i]), at: beforeWrite}
		answered[i] = c.stop(n, requests[i:i+1])
	}
	together(6, func(i int) {
		s, n := requests[i/2], c.nodes[(i/2+1+i%2)%3]
		for range 2 { // together they wait for more than a lease
			a := n.send(c.t.Context(), s.request)
			s.checkBusy(c.t, a)
			if seconds, _ := strconv.Atoi(a.header.Get("Retry-After")); !a.again() || seconds > int(skewedWait.Seconds()) {
				c.t.Errorf("%v: %v with Retry-After %q; want at most %v", s.request, a, a.header.Get("Retry-After"), skewedWait)
			}
		}
	})
	for i, s := range requests {
		c.nodes[i].resume(s.key)
		answered[i]()
		done := c.ledger().executions[s.key]
		if !s.first.success() || len(done) != 1 || done[0].Node != c.nodes[i].config.Name {
			c.t.Errorf("%v: %v, executions %v", s.request, s.first, done)
		}
	}
	if n := c.count(`SELECT count(*) FROM iceberg_idempotency_key_meta WHERE attempt > 1`); n != 0 {
		c.t.Errorf("%d requests were taken over although their nodes lived", n)
	}
}

// takeFromTheDeadInTime kills a node whose clock is fast or slow while it holds a
// request back: whoever takes it over, it is not before the lease has run out by
// the database's clock.
func (c *cluster) takeFromTheDeadInTime() {
	for i, victim := range c.nodes[:2] {
		s := &stopped{request: createNamespace("left-by-" + victim.config.Name), at: beforeWrite}
		answered := c.stop(victim, []*stopped{s})
		victim.kill()
		answered()
		ends := c.count(`SELECT lease_expires_at FROM iceberg_idempotency_key_meta WHERE idempotency_key = ?`, s.key)
		c.retryAll([]*stopped{s}, [2]*node{c.nodes[(i+1)%3], c.nodes[(i+2)%3]})
		done := c.ledger().executions[s.key]
		if len(done) != 1 || done[0].At.UnixMilli() < int64(ends) {
			c.t.Errorf("%v: executions %v, lease until %v", s.request, done, time.UnixMilli(int64(ends)).UTC())
		}
		for _, answers := range s.retries {
			if !last(answers).success() {
				c.t.Errorf("%v: %v", s.request, answers)
			}
		}
		victim.start()
	}
}

// aged gives a request a key that its client made by a clock that is off.
func aged(r request, by time.Duration) request {
	key := uuid.MustParse(r.key)
	millis := time.Now().Add(by).UnixMilli()
	for i := range 6 {
		key[i] = byte(millis >> (40 - 8*i))
	}
	r.key = key.String()
	return r
}
