package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/onceberg/onceberg/store"
)

// Factory opens a fresh, empty store for one test. It fails the test itself when
// it cannot, and registers with tb.Cleanup whatever has to end. The suite's
// tests run in parallel, so two instances must share neither data nor outages.
type Factory func(tb testing.TB) Instance

// Instance is one store under test and what the suite may do to it. Only Store
// is required; a nil function declares that the implementation has no such
// thing, and the behaviours that need it are then not part of its suite.
type Instance struct {
	// Store is the store under test. The suite may close it; closing it again
	// in a cleanup must be harmless, as store.Store promises.
	Store store.Store

	// Reopen opens a second handle on the same data, as another node would have
	// it, and registers its closing with tb. Nil when the data cannot be
	// reached from elsewhere.
	Reopen func(tb testing.TB) store.Store

	// Advance moves the clock of the store and of its reopened handles forward
	// by d. Nil when the clock is real: the suite then waits for it.
	Advance func(d time.Duration)

	// Now reads the store's clock. Nil means that the store goes by a clock
	// that agrees with this machine's within a few seconds.
	Now func() time.Time

	// ClockPrecision is the granularity of the instants that the store keeps,
	// time.Millisecond for a column of milliseconds. Zero means nanoseconds.
	ClockPrecision time.Duration

	// Outage makes the database of this instance unreachable, so that calls
	// fail, and returns the function that brings it back. Data written before
	// survives. Nil when there is nothing to lose.
	Outage func() (restore func())

	// Stall makes every write to the database of this instance hang, as a table
	// lock held by somebody else does, and returns the function that lets go.
	// Nil when nothing can be held up.
	Stall func() (resume func())

	// Capacity is the number of records that the store holds at most. Zero
	// means that it is not bounded; a bounded one needs room for 3,000 records.
	Capacity int

	// Counter writes and counts application rows. RunTransactional requires it,
	// Run does not use it.
	Counter Counter
}

// Counter stands for the backend in the tests of store.Transactional: it keeps
// rows of its own in the store's database.
type Counter interface {
	// Add writes one row of the given name: within the transaction that
	// Transact put into ctx when it is called from a mutation, and by itself
	// otherwise.
	Add(ctx context.Context, name string) error

	// Count returns how many rows of that name are visible, to the transaction
	// in ctx or else from outside.
	Count(ctx context.Context, name string) (int, error)
}
