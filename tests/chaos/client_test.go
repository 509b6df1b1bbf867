package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

const keyHeader = generated.KeyHeader

// worker is a client of the catalog: it does one step after the other, each until
// it knows what became of it or that nobody does.
type worker struct {
	run    *run
	plan   *plan
	client *http.Client
	// given up are objects of which the worker does not know what they are like,
	// because something that it did to them did not settle.
	givenUp map[string]bool
	// littered are namespaces in which something given up may have stayed, so that
	// they may not be empty when the plan thinks so.
	littered map[string]bool
}

// newWorker returns a client with a transport of its own, the one under test. The
// clocks of some are off, as the nodes' are.
func (r *run) newWorker(id, attempts int) (*worker, error) {
	var seed [32]byte
	copy(seed[:], fmt.Sprintf("%d %d", r.seed, id))
	transport, err := client.NewTransport(client.Options{
		Operations: generated.Operations, Base: r.network,
		MaxAttempts: attempts, AttemptTimeout: 5 * time.Second,
		MinBackoff: 20 * time.Millisecond, MaxBackoff: 500 * time.Millisecond,
		Random:    rand.NewChaCha8(seed),
		Clock:     skewedClock{[]time.Duration{0, time.Minute, 0, -time.Minute}[id%4]},
		OnAttempt: func(client.Attempt) { r.attempts.Add(1) },
	})
	if err != nil {
		return nil, err
	}
	return &worker{
		run: r, plan: newPlan(r.seed, id), givenUp: map[string]bool{}, littered: map[string]bool{},
		client: &http.Client{Transport: transport},
	}, nil
}

// skewedClock is the system's, off by some time.
type skewedClock struct{ skew time.Duration }

// Now implements client.Clock.
func (c skewedClock) Now() time.Time { return time.Now().Add(c.skew) }

// Wait implements client.Clock.
func (c skewedClock) Wait(ctx context.Context, d time.Duration) error {
	pause(ctx, d)
	return ctx.Err()
}

// work does steps until over ends; the last one may take longer, as long as ctx.
func (w *worker) work(ctx, over context.Context) {
	for over.Err() == nil {
		s := w.plan.next()
		if w.hopeless(s) {
			w.run.skipped.Add(1)
			continue
		}
		w.do(ctx, over, s)
	}
}

// hopeless reports whether a step is about something given up.
func (w *worker) hopeless(s step) bool {
	namespace, _ := split(s.Object)
	to, _ := split(s.To)
	if w.givenUp[s.Object] || w.givenUp[namespace] || s.To != "" && w.givenUp[to] {
		if s.To != "" {
			w.lose(s.To) // it never gets there
		}
		if s.Operation != "dropNamespace" {
			w.lose(s.Object)
		}
		return true
	}
	return false
}

// conflicts is how often a client rebuilds a commit that others were faster than.
const conflicts = 5

func (w *worker) do(ctx, over context.Context, s step) {
	for try := range 1 + conflicts {
		m, ok := w.prepare(ctx, s, fmt.Sprintf("c%02d-%05d-%d", s.Client, s.Number, try))
		if !ok {
			return // reads fail when all is down; the next step may have more luck
		}
		w.settle(ctx, m)
		w.run.history.add(m)
		if m.Outcome == unknown {
			w.giveUp(s)
		}
		if m.Answer.Type != "CommitFailedException" || m.Outcome != refused || over.Err() != nil {
			return
		}
		w.run.conflicts.Add(1)
	}
}

func (w *worker) giveUp(s step) {
	if !s.Certain {
		return // shared things do not depend on this worker alone
	}
	w.lose(s.Object)
	if s.To != "" {
		w.lose(s.To)
	}
}

// lose gives an object up.
func (w *worker) lose(object string) {
	namespace, _ := split(object)
	w.givenUp[object], w.littered[namespace] = true, true
}

// prepare makes the mutation of a step, from what tables are like now where it
// depends on that.
func (w *worker) prepare(ctx context.Context, s step, mark string) (*mutation, bool) {
	full := s.Operation == "dropNamespace" && w.littered[s.Object]
	m := &mutation{Mark: mark, Operation: s.Operation, Certain: s.Certain && !full, Bases: map[string]int64{}}
	switch {
	case s.Operation == "commitTransaction":
		var bodies bytes.Buffer
		for i, table := range s.Tables {
			body, ok := w.commit(ctx, table, m)
			if !ok {
				return nil, false
			}
			if i > 0 {
				bodies.WriteByte(',')
			}
			bodies.WriteString(body)
			m.Effects = append(m.Effects, effect{changes, table})
		}
		m.request = post("/v1/transactions/commit", `{"table-changes":[%s]}`, bodies.String())
	case s.Operation == "updateTable" && !s.Certain && (!s.Blind || w.run.form == twoPhase):
		// In two phases a lost attempt is run again, which nothing but a
		// requirement makes harmless.
		body, ok := w.commit(ctx, s.Object, m)
		if !ok {
			return nil, false
		}
		m.request, m.Effects = request{http.MethodPost, tablePath(s.Object), body}, []effect{{changes, s.Object}}
	default:
		r, e := s.requestOf(mark, w.run.warehouse)
		m.request, m.Effects = r, []effect{e}
	}
	return m, true
}

// commit reads a table and returns a mutation's commit to what it read.
func (w *worker) commit(ctx context.Context, table string, m *mutation) (string, bool) {
	for range 20 {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.run.url+tablePath(table), nil)
		if err != nil {
			return "", false
		}
		var found struct {
			Metadata tableState `json:"metadata"`
		}
		if resp, err := w.client.Do(req); err == nil {
			err = json.NewDecoder(resp.Body).Decode(&found)
			resp.Body.Close()
			if err == nil && resp.StatusCode == http.StatusOK {
				m.Bases[table] = found.Metadata.current()
				return commitOf(table, &found.Metadata, m.Mark), true
			}
		}
		pause(ctx, 50*time.Millisecond)
	}
	return "", false
}

// settle sends a mutation until somebody knows what became of it, or everybody
// says that nobody does.
func (w *worker) settle(ctx context.Context, m *mutation) {
	for range 4 {
		if w.send(ctx, m) || ctx.Err() != nil {
			return
		}
		w.run.resumed.Add(1)
	}
}

// send sends a mutation by the transport under test, with the key it has had
// before if any, and reports whether that is the end of it.
func (w *worker) send(ctx context.Context, m *mutation) (settled bool) {
	req, err := http.NewRequestWithContext(ctx, m.request.Method, w.run.url+m.request.Path, bytes.NewReader([]byte(m.request.Body)))
	if err != nil {
		panic(err) // of this test's making
	}
	req.Header.Set(markHeader, m.Mark)
	if m.request.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if m.Key != "" {
		req.Header.Set(keyHeader, m.Key)
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return m.failed(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		m.Outcome = unknown
		return false
	}
	m.Key = resp.Request.Header.Get(keyHeader)
	m.Answer = newAnswer("", resp.StatusCode, resp.Header, body)
	switch {
	case m.Answer.success():
		m.Outcome = acknowledged
	case m.Answer.final():
		m.Outcome = refused
	default:
		m.Outcome = unknown
	}
	return true
}

// failed takes what the transport says of a mutation that no answer has settled.
func (m *mutation) failed(err error) (settled bool) {
	m.Outcome = unknown
	failure, ok := errors.AsType[*client.Error](err)
	if !ok {
		return false
	}
	m.Key = failure.Key
	m.inDoubt = m.inDoubt || failure.StateUnknown
	if !m.inDoubt {
		// None of the attempts so far was applied, the transport says, and had
		// better be right; but there may be more of them.
		m.Outcome = refused
		return failure.Attempts == 0
	}
	status, ok := errors.AsType[*client.StatusError](err)
	return ok && status.Type == runtime.TypeStateUnknown
}

// tally counts what clients and harm did.
type tally struct {
	attempts, conflicts, skipped, resumed atomic.Int64
	kills, restarts                       atomic.Int64
}
