package conformance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/onceberg/onceberg/runtime"
)

// maxExchanges is how many exchanges a result shows at most; the last ones count.
const maxExchanges = 40

// trial is the playing of one case for one operation, in namespaces of its own.
type trial struct {
	server  *server
	options Options
	op      *runtime.Operation // nil when it is about the server as a whole
	name    string             // what the names of its namespaces begin with

	// note is something to say of a pass.
	note string

	// unanswered is true when a request got no answer that should have got one.
	unanswered atomic.Bool

	mu         sync.Mutex
	exchanges  []Exchange
	dropped    int      // exchanges that are not shown
	namespaces []string // that it made, or that the server may have made for it
	tabled     bool     // something was sent that may have made tables
	viewed     bool     // the same of views
	unpurged   bool     // tables were taken out of the catalog, and their files stayed
	metadata   map[string]string

	// What cleaning up has come to, see clean.go.
	doubtful  bool     // a request that may make something had no answer
	hungUp    bool     // a client left such a request
	files     []string // that cannot be got at any more, told in full
	stuck     []string // what the last try could not remove
	recovery  string   // the namespace for tables that are got back to be purged
	recovered bool
}

// heed keeps in mind what is to be cleaned up after a request: what it may have
// made, the metadata files of tables by uuid, and whether any of them may be out of
// the catalog.
func (t *trial) heed(c call, w way, a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.method == http.MethodPost {
		t.doubtful = t.doubtful || w.adrift(a)
		// Whoever has the answer to the next try knows that the first one is over.
		t.hungUp = w.hangUp || t.hungUp && (w.keys == nil || a.err != nil)
		t.tabled = t.tabled || strings.Contains(c.path, "/tables") || strings.HasSuffix(c.path, "/register")
		t.viewed = t.viewed || strings.Contains(c.path, "view")
	}
	if !a.ok() {
		return
	}
	uuid, location := a.field("metadata", "table-uuid"), a.field("metadata-location")
	if uuid != "" && location != "" {
		if t.metadata == nil {
			t.metadata = map[string]string{}
		}
		t.metadata[uuid] = location
	}
	plainDrop := c.method == http.MethodDelete && strings.Contains(c.path, "/tables/") && !strings.Contains(c.path, "/plan/")
	if plainDrop || strings.HasSuffix(c.path, "/unregister") {
		t.unpurged = true
	}
}

// adrift reports whether a request may be carried out after its answer was given up. An
// answer that is lost was given, and a client that hangs up comes again: the server has
// ended both when their trial goes on.
func (w way) adrift(a answer) bool {
	switch a.status {
	case 0:
		return !w.lose && !w.hangUp && !a.unsent
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func (t *trial) keep(e Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.exchanges) == maxExchanges {
		t.exchanges = t.exchanges[1:]
		t.dropped++
	}
	t.exchanges = append(t.exchanges, e)
}

// shown are the exchanges of the trial.
func (t *trial) shown() []Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.exchanges
}

// freshNamespace is the name of a namespace that does not exist yet. What the
// trial puts into it is removed afterwards.
func (t *trial) freshNamespace() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := fmt.Sprintf("%s%c", t.name, 'a'+len(t.namespaces))
	t.namespaces = append(t.namespaces, name)
	return name
}

// do sends a call that is not the one under test, and wants a success.
func (t *trial) do(ctx context.Context, c call) (answer, error) {
	a := t.own(ctx, c)
	if !a.ok() {
		return a, t.excused(c, fmt.Errorf("the kit's own %s %s: %v", c.method, t.server.path(c), a))
	}
	return a, nil
}

// prepare makes what the operation needs, in the trial's namespaces. Where that could
// not be made for several trials it is not tried any more.
func (t *trial) prepare(ctx context.Context) (*act, error) {
	prepare, known := subjects[t.op.ID]
	if !known {
		return nil, fmt.Errorf("the kit has no request for %s yet", t.op.ID)
	}
	entry, _ := t.server.barren.LoadOrStore(t.op.ID, &barren{})
	before := entry.(*barren)
	if why := before.reason(); why != nil {
		return nil, fmt.Errorf("what %s needs was not tried to be made once more: %w", t.op.ID, why)
	}
	a, err := prepare(ctx, t)
	var skip *skipped
	if err != nil && (errors.As(err, &skip) || ctx.Err() != nil) {
		return a, err
	}
	before.note(err)
	if err != nil {
		return nil, fmt.Errorf("what %s needs could not be made: %w", t.op.ID, err)
	}
	return a, nil
}

// barren is how often in a row what an operation needs could not be made, and why.
type barren struct {
	mu    sync.Mutex
	times int
	last  error
}

func (b *barren) note(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.times, b.last = b.times+1, err
	if err == nil {
		b.times = 0
	}
}

// reason is nil as long as it is worth trying.
func (b *barren) reason() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.times < enough {
		return nil
	}
	return b.last
}
