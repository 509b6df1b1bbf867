package database

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// What is deleted by a deletion.
const (
	// DeleteFile is the file at the location.
	DeleteFile = "file"
	// DeleteTable is everything that the metadata file at the location leads to.
	DeleteTable = "table"
)

// Deletion is something to delete, known to be useless.
type Deletion struct {
	bun.BaseModel `bun:"table:iceberg_deletions,alias:d"`

	ID       string `bun:"id,pk"`
	What     string `bun:"what"`
	Location string `bun:"location"`
	// Attempts counts how often it was begun.
	Attempts int `bun:"attempts"`
	// DueAt is when it may be begun again, in milliseconds since 1970.
	DueAt int64 `bun:"due_at"`
}

// Schedule adds something to delete once the unit of work is committed.
func (w *Work) Schedule(ctx context.Context, what, location string, now time.Time) error {
	w.deletes = true
	d := &Deletion{ID: newID(), What: what, Location: location, DueAt: now.UnixMilli()}
	if _, err := w.q.NewInsert().Model(d).Exec(ctx); err != nil {
		return w.failed("schedule a deletion", err)
	}
	return nil
}

// Scheduled is signalled after a deletion was scheduled on this node; in a
// transaction that somebody else commits, shortly before.
func (d *DB) Scheduled() <-chan struct{} { return d.due }

func (d *DB) signal() {
	select {
	case d.due <- struct{}{}:
	default:
	}
}

// Take returns some of the deletions that are due, at most limit, and puts each
// off by the lease, so that no other node begins it meanwhile.
func (d *DB) Take(ctx context.Context, limit int, now time.Time, lease time.Duration) ([]*Deletion, error) {
	var due, taken []*Deletion
	err := d.config.DB.NewSelect().Model(&due).Where("due_at <= ?", now.UnixMilli()).Order("due_at", "id").Limit(int64(limit)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read what is to be deleted: %w", err)
	}
	for _, one := range due {
		until := now.Add(lease).UnixMilli()
		mine, err := changed(d.config.DB.NewUpdate().Table("iceberg_deletions").
			Set("due_at = ?", until).Set("attempts = ?", one.Attempts+1).
			Where("id = ?", one.ID).Where("due_at = ?", one.DueAt).Where("attempts = ?", one.Attempts).Exec(ctx))
		if err != nil {
			return taken, fmt.Errorf("take a deletion: %w", err)
		}
		if mine {
			one.Attempts, one.DueAt = one.Attempts+1, until
			taken = append(taken, one)
		}
	}
	return taken, nil
}

// Done forgets a deletion that was carried out.
func (d *DB) Done(ctx context.Context, one *Deletion) error {
	if _, err := d.config.DB.NewDelete().Table("iceberg_deletions").Where("id = ?", one.ID).Exec(ctx); err != nil {
		return fmt.Errorf("forget a deletion: %w", err)
	}
	return nil
}

// PutOff has a deletion that failed begun again at a later time.
func (d *DB) PutOff(ctx context.Context, one *Deletion, until time.Time) error {
	_, err := d.config.DB.NewUpdate().Table("iceberg_deletions").Set("due_at = ?", until.UnixMilli()).
		Where("id = ?", one.ID).Where("attempts = ?", one.Attempts).Exec(ctx)
	if err != nil {
		return fmt.Errorf("put a deletion off: %w", err)
	}
	return nil
}
