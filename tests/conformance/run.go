package conformance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/onceberg/onceberg/generated"
)

// cleaning is how long a trial may take to clean up.
const cleaning = 30 * time.Second

// Run plays the cases against a server and reports. It returns an error when
// nothing could be tested at all: a bad target or option, a server out of reach.
// When the context ends, so does the run, after requests under way have been answered
// and all has been cleaned up; the report says so, and names what may be left. With
// Options.Abandon it does not wait for that. It ends as well when the server cannot be
// reached any more.
func Run(ctx context.Context, target Target, options Options) (*Report, error) {
	options = options.withDefaults()
	if err := target.check(); err != nil {
		return nil, err
	}
	if err := options.check(); err != nil {
		return nil, err
	}
	started := time.Now()
	s, err := connect(ctx, target, options)
	if err != nil {
		return nil, err
	}
	defer s.close()
	r := newRunner(s, options)
	interrupted, lost := r.play(ctx)
	return &Report{
		Server: s.base, Started: started.UTC(), Took: time.Since(started), Lifetime: s.config.lifetime(),
		Only: options.Only, Operations: s.operations(), Cases: Cases(), Results: r.results, Leftovers: r.left,
		Interrupted: interrupted, Gone: lost,
	}, nil
}

// operations are the rows of the report.
func (s *server) operations() []Operation {
	var rows []Operation
	for _, op := range generated.Operations {
		if op.Idempotent {
			rows = append(rows, Operation{op.ID, op.Method, op.Path, s.offers(op)})
		}
	}
	return rows
}

// runner plays the cells of a run.
type runner struct {
	server  *server
	options Options
	id      string // sets the run's names apart from all others
	cells   []cell
	giveUp  context.CancelCauseFunc

	mu      sync.Mutex
	done    int
	results []Result // in the order of the cells
	left    []string
	again   []*trial // that are to be cleaned up after once more
}

func newRunner(s *server, o Options) *runner {
	r := &runner{server: s, options: o, id: strings.ToLower(rand.Text()[:6])}
	for _, c := range allCells() {
		if o.wants(c) {
			r.cells = append(r.cells, c)
		}
	}
	r.results = make([]Result, len(r.cells))
	return r
}

// play plays all cells, some at a time, and cleans up. It returns whether that was ended
// before its end, and how the server was lost, if it was.
func (r *runner) play(caller context.Context) (interrupted bool, lost string) {
	ctx, giveUp := context.WithCancelCause(context.WithoutCancel(caller))
	defer giveUp(nil)
	r.giveUp = giveUp
	none := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { r.watch(caller.Done(), none) })
	defer watching.Wait()
	defer close(none)

	next := make(chan int)
	var workers sync.WaitGroup
	for range r.options.Parallel {
		workers.Go(func() {
			for i := range next {
				r.report(i, r.try(ctx, i))
			}
		})
	}
	for i := range r.cells {
		next <- i
	}
	close(next)
	workers.Wait()
	r.sweep(ctx)
	return caller.Err() != nil || errors.Is(context.Cause(ctx), errEnded), gone(ctx)
}

func (r *runner) report(i int, result Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	r.results[i] = result
	r.options.OnResult(result, r.done, len(r.cells))
}

// try plays one cell and cleans up.
func (r *runner) try(ctx context.Context, i int) Result {
	c := r.cells[i]
	if ctx.Err() != nil {
		return conclude(c, ended(ctx))
	}
	if why := r.unoffered(c); why != "" {
		return Result{Operation: c.operation, Case: c.kind.ID, Level: c.level(), Verdict: NotOffered, Finding: why}
	}
	t := &trial{
		server: r.server, options: r.options, op: generated.FindOperation(c.operation),
		name: fmt.Sprintf("conform_%s_%d", r.id, i),
	}
	started := time.Now()
	err := c.kind.run(ctx, t)
	if err == nil && t.note != "" {
		err = remarkf("%s", t.note)
	}
	if t.unanswered.Load() && ctx.Err() == nil {
		// Nothing is to be read from the silence of a server that is gone.
		if cause := r.server.knock(ctx, r.options); cause != nil {
			r.giveUp(&goneError{c, cause})
			r.server.abandoned.now()
		}
	}
	if ctx.Err() != nil {
		err = ended(ctx)
	}
	result := conclude(c, err)
	result.Duration = time.Since(started)
	if result.Verdict == Fail || result.Verdict == Unclear {
		result.Exchanges = t.shown()
	}
	r.tidy(ctx, t)
	return result
}

// tidy removes what a trial made, unless it is to be kept.
func (r *runner) tidy(ctx context.Context, t *trial) {
	var left []string
	again := false
	switch {
	case r.options.Keep:
		left = t.remaining("kept, as was asked for")
	case gone(ctx) != "":
		left = t.remaining("perhaps; the server could no longer be reached")
	default:
		outlasting, cancel := r.server.abandoned.outlast(ctx, cleaning)
		defer cancel()
		// A client that hangs up is not waited for when the run is ended.
		t.doubtful = t.doubtful || ctx.Err() != nil && t.hungUp
		if again = t.clean(outlasting, false); !again {
			left = t.left()
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = append(r.left, left...)
	if again {
		r.again = append(r.again, t)
	}
}

// unpromised is why keys are not sent to a server that advertises no lifetime of them.
const unpromised = "the server advertises no idempotency-key-lifetime, so clients send it no keys"

// unoffered says why a cell is not played at this server; empty when it is.
func (r *runner) unoffered(c cell) string {
	if r.options.All || c.operation == ServerWide {
		return ""
	}
	if !r.server.offers(generated.FindOperation(c.operation)) {
		return "the server does not advertise the operation"
	}
	if r.server.config.Lifetime == nil {
		return unpromised
	}
	return ""
}
