package memory

import (
	"bytes"
	"time"

	"github.com/onceberg/onceberg/store"
)

// entry is one record with what the store needs beside it. Until it is final,
// everything in it is guarded by Store.mu. Once final its record never changes
// again, so that it can be read without the lock; the other fields stay guarded.
type entry struct {
	record store.Record
	// retain is what the claim asked for.
	retain time.Duration
	// rank numbers the final records in the order of their finalization.
	rank int
	// place is the entry's index in the expiry queue, gone when it has left the
	// store.
	place int
}

// gone is the place of an entry that the store no longer holds.
const gone = -1

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

// view returns a copy for the caller to keep. Header and payload are shared,
// since nobody may change what a store returns and a payload can be large.
func (e *entry) view() *store.Record {
	// One allocation for both halves of the copy.
	v := &struct {
		record  store.Record
		outcome store.Outcome
	}{record: e.record}
	if e.record.Outcome != nil {
		v.outcome = *e.record.Outcome
		v.record.Outcome = &v.outcome
	}
	return &v.record
}

// ownOutcome copies an outcome, so that what the caller does with its header and
// payload afterwards cannot reach the record.
func ownOutcome(o store.Outcome) *store.Outcome {
	o.Header = o.Header.Clone()
	o.Payload = bytes.Clone(o.Payload)
	return &o
}
