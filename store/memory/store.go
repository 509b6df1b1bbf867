package memory

import (
	"container/heap"
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"github.com/onceberg/onceberg/store"
)

// Store keeps records in memory. It implements store.Store; make one with New.
type Store struct {
	options   Options
	closed    atomic.Bool
	evictions atomic.Uint64

	mu sync.Mutex
	// finals holds the final records and ranks them. It is used under mu alone,
	// so that what it does is done when a call returns, and its bound, which the
	// store keeps first, never makes it evict by itself.
	finals *otter.Cache[string, *entry]
	// running holds the reservations.
	running map[string]*entry
	// queue holds all entries, running and final.
	queue expiryQueue
	// finalized counts finalizations, to rank final records by age.
	finalized int
	// victims are the next final records to evict, the first one last.
	victims []*entry
}

var _ store.Store = (*Store)(nil)

// New returns an empty store. It fails on options that cannot be used, with an
// error that names the field.
func New(options Options) (*Store, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	finals, err := otter.New(&otter.Options[string, *entry]{
		MaximumSize: options.MaxEntries,
		// Otter hands its bookkeeping to an executor, by default a new
		// goroutine each time. Doing it on the caller's goroutine is cheaper,
		// and leaves nothing running behind the store's back.
		Executor: func(task func()) { task() },
	})
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return &Store{options: options, finals: finals, running: make(map[string]*entry)}, nil
}

// Len returns how many records the store holds: reservations, final records,
// and those which have expired but were not purged yet. It never exceeds
// MaxEntries.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// Evictions returns how many live records were evicted since New.
func (s *Store) Evictions() uint64 { return s.evictions.Load() }

// Close forgets all records. Calls made afterwards give store.ErrClosed.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.running)
	s.finals.InvalidateAll()
	s.queue, s.victims = nil, nil
	return nil
}

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, key string) (*store.Record, error) {
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	now := s.options.Clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.find(key)
	if e == nil || e.expired(now) {
		return nil, fmt.Errorf("memory: load %s: %w", key, store.ErrNotFound)
	}
	return e.view(now), nil
}

// usable returns the error of a call that must not start.
func (s *Store) usable(ctx context.Context) error {
	if s.closed.Load() {
		return fmt.Errorf("memory: %w", store.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return nil
}

// find returns the entry of key, expired or not, or nil. The caller holds mu.
func (s *Store) find(key string) *entry {
	if e, ok := s.running[key]; ok {
		return e
	}
	e, _ := s.finals.GetIfPresent(key)
	return e
}

// remove takes an entry out of the store. The caller holds mu.
func (s *Store) remove(e *entry) {
	heap.Remove(&s.queue, e.place)
	if e.record.Final() {
		s.finals.Invalidate(e.record.Key)
	} else {
		delete(s.running, e.record.Key)
	}
}
