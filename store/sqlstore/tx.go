package sqlstore

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uptrace/bun"
)

// DB returns the transaction that [Store.Transact] runs in ctx, for a backend to
// write through, and without one it returns fallback. A backend calls
// DB(ctx, itsDB) everywhere, and so serves keyed and other requests alike. Both
// must be of the same database, though not of the same pool.
func DB(ctx context.Context, fallback bun.IDB) bun.IDB {
	if t := running(ctx); t != nil {
		return t.tx
	}
	return fallback
}

// OnRollback registers undo to be called when the transaction in ctx has been
// rolled back: because another request's record won, because the outcome is a
// rejection or not final, because the mutation failed or panicked, or because
// the database wants the whole transaction again, which then starts with nothing
// registered. What was registered last is undone first. When the outcome of the
// commit stays unknown nothing is undone.
//
// It returns false when ctx has no transaction; then nothing is registered and
// the caller undoes by itself what it has to.
func OnRollback(ctx context.Context, undo func()) bool {
	t := running(ctx)
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.undo = append(t.undo, undo)
	return true
}

// transaction is one run of a mutation.
type transaction struct {
	tx bun.Tx

	// conflicted is set when the database refused a statement of the mutation
	// for a deadlock or the like. The transaction must not be committed then,
	// whatever the mutation makes of the error: MySQL has already rolled it
	// back, and what comes next would commit by itself.
	conflicted atomic.Bool

	mu   sync.Mutex
	undo []func()
}

type transactionKey struct{}

func running(ctx context.Context) *transaction {
	t, _ := ctx.Value(transactionKey{}).(*transaction)
	return t
}

// begin opens a transaction and puts it into the context.
func (s *Store) begin(ctx context.Context) (context.Context, *transaction, error) {
	tx, err := s.txdb.BeginTx(ctx, nil)
	if err != nil {
		return ctx, nil, err
	}
	t := &transaction{tx: tx}
	return context.WithValue(ctx, transactionKey{}, t), t, nil
}

// rollback ends the transaction without effect and undoes what the mutation did
// outside of it. A rollback that fails is one all the same: the connection is
// closed then, and the database rolls back.
func (t *transaction) rollback() {
	_ = t.tx.Rollback()
	t.mu.Lock()
	undo := t.undo
	t.undo = nil
	t.mu.Unlock()
	for _, f := range slices.Backward(undo) {
		f()
	}
}

// conflictHook notices when the database refuses a statement of a mutation.
type conflictHook struct {
	dialect *dialect
}

var _ bun.QueryHook = (*conflictHook)(nil)

// BeforeQuery does nothing.
func (*conflictHook) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

// AfterQuery marks the transaction in the context.
func (h *conflictHook) AfterQuery(ctx context.Context, event *bun.QueryEvent) {
	if event.Err == nil || !h.dialect.faults.IsTransient(event.Err) {
		return
	}
	if t := running(ctx); t != nil {
		t.conflicted.Store(true)
	}
}
