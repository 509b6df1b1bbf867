package memory

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/onceberg/onceberg/store"
)

// Finalize implements store.Store. An outcome that no store could give back, by
// its status or its kind, is refused with store.ErrCorrupt before it gets in.
func (s *Store) Finalize(
	ctx context.Context, key string, token store.Token, outcome store.Outcome, retain time.Duration,
) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	if outcome.Status < 100 || outcome.Status > 599 {
		return fmt.Errorf("memory: finalize %s: status %d: %w", key, outcome.Status, store.ErrCorrupt)
	}
	if !outcome.Kind.Valid() {
		return fmt.Errorf("memory: finalize %s: kind %q: %w", key, outcome.Kind, store.ErrCorrupt)
	}
	// Copied, so that what the caller does with them afterwards cannot reach the
	// record, and before the lock is taken, since a payload can have megabytes.
	flat := flatten(outcome.Header)
	outcome.Header, outcome.Payload = nil, bytes.Clone(outcome.Payload)

	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	if e == nil || e.record.Token != token {
		return lost("finalize", key)
	}
	if e.record.Final() {
		if e.record.Outcome.Status != outcome.Status {
			return lost("finalize", key)
		}
		return nil
	}
	e.finalize(outcome, flat, s.options.Clock(), retain)
	s.queue.moved(e)
	s.finals.add(e)
	s.bytes += int64(len(outcome.Payload))
	return nil
}

// Release implements store.Store.
func (s *Store) Release(ctx context.Context, key string, token store.Token) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.heldBy(key, token)
	if e == nil {
		return lost("release", key)
	}
	s.remove(e)
	return nil
}

// Renew implements store.Store. As a change of the record it also starts the
// retention again.
func (s *Store) Renew(ctx context.Context, key string, token store.Token, lease time.Duration) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.heldBy(key, token)
	if e == nil {
		return lost("renew", key)
	}
	e.hold(s.options.Clock(), lease)
	s.queue.moved(e)
	return nil
}

// heldBy returns the reservation that token holds on key, lapsed or not, or nil.
func (s *Store) heldBy(key string, token store.Token) *entry {
	e, ok := s.entries[key]
	if !ok || e.record.Final() || e.record.Token != token {
		return nil
	}
	return e
}

func lost(operation, key string) error {
	return fmt.Errorf("memory: %s %s: %w", operation, key, store.ErrLeaseLost)
}
