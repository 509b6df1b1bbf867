package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/onceberg/onceberg/store"
)

// Reserve implements store.Store. A new key that finds no room gets
// store.ErrFull. A lapsed reservation is taken over only by a claim with the same
// binding; a claim with another one gets it in Reservation.Existing.
func (s *Store) Reserve(ctx context.Context, claim store.Claim) (store.Reservation, error) {
	if err := s.usable(ctx); err != nil {
		return store.Reservation{}, err
	}
	now := s.options.Clock()
	reservation, evicted, err := s.reserve(&claim, now)
	if evicted > 0 {
		s.evictions.Add(uint64(evicted))
		if s.options.OnEvict != nil {
			s.options.OnEvict(evicted, CauseCapacity)
		}
	}
	return reservation, err
}

// reserve is Reserve under the lock. It returns also how many live records had
// to go.
func (s *Store) reserve(claim *store.Claim, now time.Time) (store.Reservation, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[claim.Key]
	if e != nil && e.expired(now) {
		s.remove(e)
		e = nil
	}
	if e != nil {
		if e.record.Token == claim.Token && !e.record.Final() && !e.lapsed(now) {
			return store.Reservation{Acquired: true, TakenOver: e.takenOver}, 0, nil
		}
		if !e.lapsed(now) || !e.record.Binding.Same(claim.Binding) {
			return store.Reservation{Existing: e.view(now)}, 0, nil
		}
		s.takeOver(e, claim, now)
		return store.Reservation{Acquired: true, TakenOver: true}, 0, nil
	}
	evicted, ok := s.makeRoom(now)
	if !ok {
		return store.Reservation{}, evicted, fmt.Errorf("memory: reserve %s: %w", claim.Key, store.ErrFull)
	}
	s.insert(claim, now)
	return store.Reservation{Acquired: true}, evicted, nil
}

func (s *Store) insert(claim *store.Claim, now time.Time) {
	e := &entry{
		record: store.Record{
			Key:       claim.Key,
			Binding:   claim.Binding,
			Token:     claim.Token,
			CreatedAt: now,
			Audit:     claim.Audit,
		},
		retain: claim.Retain,
	}
	e.hold(now, claim.Lease)
	s.entries[claim.Key] = e
	s.queue.add(e)
}

// takeOver gives a lapsed reservation to a new token.
func (s *Store) takeOver(e *entry, claim *store.Claim, now time.Time) {
	e.record.Token = claim.Token
	e.record.Binding = claim.Binding
	e.record.Audit = claim.Audit
	e.takenOver = true
	e.retain = claim.Retain
	e.hold(now, claim.Lease)
	s.queue.moved(e)
}
