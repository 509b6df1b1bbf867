package memory

import (
	"time"

	"github.com/onceberg/onceberg/store"
)

// entry is one record with what the store needs beside it, guarded by Store.mu.
type entry struct {
	record store.Record
	// outcome is what record.Outcome points to once final; its headers are in
	// header.
	outcome store.Outcome
	header  header
	// retain is what the claim asked for.
	retain time.Duration
	// The rest is the line's of final records: which place the entry has in the
	// order of finalization, its neighbours, and whether it was asked for since
	// the line last passed it over.
	rank         int
	older, newer *entry
	asked        bool
	// takenOver says that the token took the reservation over from another one.
	takenOver bool
	// Of the expiry queue: the neighbours in its line, or the place in its heap.
	sooner, later *entry
	place         int
}

// expired reports whether the record counts as absent.
func (e *entry) expired(now time.Time) bool { return !now.Before(e.record.ExpiresAt) }

// lapsed reports whether e is a reservation whose lease has run out.
func (e *entry) lapsed(now time.Time) bool {
	return !e.record.Final() && !now.Before(e.record.LeaseExpiresAt)
}

// hold starts a lease at now. The record expires no earlier than its lease, so
// that a short retention cannot end an attempt that is still running.
func (e *entry) hold(now time.Time, lease time.Duration) {
	e.record.LeaseExpiresAt = now.Add(lease)
	e.record.ExpiresAt = now.Add(max(e.retain, lease))
}

// finalize makes e final. The outcome's headers come flattened.
func (e *entry) finalize(outcome store.Outcome, flat header, now time.Time, retain time.Duration) {
	e.outcome = outcome
	e.header = flat
	e.record.Outcome = &e.outcome
	e.record.LeaseExpiresAt = time.Time{}
	e.record.FinalizedAt = now
	e.record.ExpiresAt = now.Add(retain)
}

// view returns a copy for the caller to keep, as it is at now. Headers and
// payload are shared, since nobody may change what a store returns and a payload
// can be large. Whoever looks has asked for the record.
func (e *entry) view(now time.Time) *store.Record {
	e.asked = true
	// One allocation for both halves of the copy.
	v := &struct {
		record  store.Record
		outcome store.Outcome
	}{record: e.record}
	v.record.Lapsed = e.lapsed(now)
	if e.record.Final() {
		v.outcome = e.outcome
		v.outcome.Header = e.header.http()
		v.record.Outcome = &v.outcome
	}
	return &v.record
}
