package memory

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/onceberg/onceberg/store"
)

// Store keeps records in memory. It implements store.Store; make one with New.
type Store struct {
	options   Options
	closed    atomic.Bool
	evictions atomic.Uint64

	mu sync.Mutex
	// entries holds all records by key: reservations and final ones.
	entries map[string]*entry
	// queue holds all entries and knows which expires next.
	queue expiryQueue
	// finals holds the final records, and knows which is worth least.
	finals line
	// bytes is the size of all payloads.
	bytes int64
}

var _ store.Store = (*Store)(nil)

// New returns an empty store. It fails on options that cannot be used, with an
// error that names the field.
func New(options Options) (*Store, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Store{options: options, entries: make(map[string]*entry)}, nil
}

// Len returns how many records the store holds: reservations, final records,
// and those which have expired but were not purged yet. It never exceeds
// MaxEntries.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.len()
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
	clear(s.entries)
	s.queue, s.finals, s.bytes = expiryQueue{}, line{}, 0
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
	e := s.entries[key]
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

// remove takes an entry out of the store. The caller holds mu.
func (s *Store) remove(e *entry) {
	s.queue.remove(e)
	if e.record.Final() {
		s.finals.remove(e)
		s.bytes -= int64(len(e.outcome.Payload))
	}
	delete(s.entries, e.record.Key)
}
