package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// reference is the simplest Transactional there can be: one transaction at a
// time, whose rows are kept aside until it commits. The suite is tried on it, and
// on versions of it that break a promise.
type reference struct {
	*memory.Store

	tx   sync.Mutex
	mu   sync.Mutex
	rows map[string]int
}

var _ store.Transactional = (*reference)(nil)

// txRows is how a mutation finds its transaction.
type txRows struct{}

func (r *reference) Transact(ctx context.Context, claim store.Claim, mutation store.Mutation) (*store.Record, error) {
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	r.tx.Lock()
	defer r.tx.Unlock()
	rows := map[string]int{}
	outcome, decision, err := mutation(context.WithValue(ctx, txRows{}, rows))
	if err != nil || decision == store.Abort {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	if record, err := r.Load(ctx, claim.Key); decision == store.Reject && err == nil {
		return record, nil
	}
	got, err := r.Reserve(ctx, claim)
	if err != nil || !got.Acquired {
		return got.Existing, err
	}
	if err := r.Finalize(ctx, claim.Key, claim.Token, outcome, claim.Retain); err != nil {
		return nil, err
	}
	if decision == store.Commit {
		r.keep(rows)
	}
	return nil, nil
}

// open returns the error of a call that must not start.
func (r *reference) open(ctx context.Context) error {
	_, err := r.Load(ctx, "no such key")
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func (r *reference) keep(rows map[string]int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, n := range rows {
		r.rows[name] += n
	}
}

// Add implements storetest.Counter.
func (r *reference) Add(ctx context.Context, name string) error {
	if rows, ok := ctx.Value(txRows{}).(map[string]int); ok {
		rows[name]++
		return nil
	}
	r.keep(map[string]int{name: 1})
	return nil
}

// Count implements storetest.Counter.
func (r *reference) Count(ctx context.Context, name string) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.rows[name]
	if rows, ok := ctx.Value(txRows{}).(map[string]int); ok {
		n += rows[name]
	}
	return n, nil
}
