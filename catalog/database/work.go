package database

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// Work is a unit of work: its reads see what it has written.
type Work struct {
	Reader
	onRollback func(undo func())
	// deletes is set when a deletion was scheduled.
	deletes bool
}

// OnRollback has undo called if the unit turns out not to have been applied. It
// is not called when nobody knows.
func (w *Work) OnRollback(undo func()) { w.onRollback(undo) }

// Write runs a unit of work, in the transaction that the context carries or in
// one of its own. An error of do undoes everything and is returned as it is,
// unless the database wants the unit once more. The other errors are
// ErrUnknownOutcome, ErrBusy and ErrUnreachable.
func (d *DB) Write(ctx context.Context, do func(w *Work) error) error {
	q := d.running(ctx)
	if q == nil {
		return d.writeAlone(ctx, do)
	}
	w := &Work{Reader: Reader{q, d.dialect}, onRollback: func(undo func()) { d.config.OnRollback(ctx, undo) }}
	err := do(w)
	if err == nil && w.deletes {
		d.signal()
	}
	return err
}

func (d *DB) writeAlone(ctx context.Context, do func(w *Work) error) error {
	for try := 1; ; try++ {
		err := d.attempt(ctx, do)
		if err == nil || !d.dialect.faults.IsTransient(err) {
			return err
		}
		if try == sqlfault.MaxTries || !sqlfault.Pause(ctx, try) {
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
	}
}

// attempt runs the unit once, in a transaction that has ended when it returns.
func (d *DB) attempt(ctx context.Context, do func(w *Work) error) error {
	tx, err := d.config.DB.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	var undo []func()
	open := true
	abandon := func() {
		open = false
		_ = tx.Rollback() // a connection that fails here is closed, and the database rolls back
		for _, f := range slices.Backward(undo) {
			f()
		}
	}
	defer func() {
		if open { // a panic
			abandon()
		}
	}()
	w := &Work{Reader: Reader{tx, d.dialect}, onRollback: func(f func()) { undo = append(undo, f) }}
	if err := do(w); err != nil {
		abandon()
		return err
	}
	return d.commit(ctx, tx, w, &open, abandon)
}

func (d *DB) commit(ctx context.Context, tx bun.Tx, w *Work, open *bool, abandon func()) error {
	err := tx.Commit()
	switch {
	case err == nil:
		*open = false
		if w.deletes {
			d.signal()
		}
		return nil
	case d.dialect.faults.IsUndone(err):
		abandon()
		if ended := ctx.Err(); ended != nil { // why database/sql may have rolled it back already
			err = fmt.Errorf("%w: %w", ended, err)
		}
		return fmt.Errorf("commit: %w", err)
	}
	*open = false
	return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
}
