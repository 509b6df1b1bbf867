package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/files"
)

const (
	// deletionLease is how long one node may work on a deletion.
	deletionLease = 10 * time.Minute
	// deletionBatch is how many are taken at once.
	deletionBatch = 8
	// idleInterval is how often a node looks for what others left undone.
	idleInterval = time.Minute
	// A deletion that failed is begun again after firstRetry, then after twice
	// that, and so on up to lastRetry.
	firstRetry = time.Minute
	lastRetry  = 6 * time.Hour
)

// soon are the waits after a deletion was scheduled here. In the guard's
// transaction that is before the commit, of which nobody tells.
var soon = []time.Duration{0, 20 * time.Millisecond, 200 * time.Millisecond, 2 * time.Second, 20 * time.Second}

// Run deletes the files that commits, and drops with a purge, have made useless,
// until ctx ends. It may run on any number of nodes. Without it nothing is
// deleted, and what is to be deleted is kept for whoever runs it later.
func (c *Catalog) Run(ctx context.Context) {
	waits := soon
	for {
		wait := idleInterval
		if len(waits) > 0 {
			wait, waits = waits[0], waits[1:]
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-c.db.Scheduled():
			timer.Stop()
			waits = soon
			continue
		case <-timer.C:
		}
		if err := c.deleteDue(ctx); err != nil && ctx.Err() == nil {
			c.log.WarnContext(ctx, "what is to be deleted cannot be looked up", slog.Any("cause", err))
		}
	}
}

// deleteDue works until nothing is due.
func (c *Catalog) deleteDue(ctx context.Context) error {
	for {
		taken, err := c.db.Take(ctx, deletionBatch, c.now(), deletionLease)
		if err != nil || len(taken) == 0 {
			return err
		}
		for _, one := range taken {
			if err := c.carryOut(ctx, one); err != nil {
				return err
			}
		}
	}
}

// carryOut deletes, and puts off what could not be deleted. The error is the
// database's.
func (c *Catalog) carryOut(ctx context.Context, one *database.Deletion) error {
	err := c.deleteFiles(ctx, one)
	if err == nil {
		return c.db.Done(ctx, one)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	wait := min(firstRetry<<min(one.Attempts-1, 16), lastRetry)
	c.log.WarnContext(ctx, "files could not be deleted; it will be tried again",
		slog.String("location", one.Location), slog.Int("attempt", one.Attempts), slog.Duration("in", wait), slog.Any("cause", err))
	return c.db.PutOff(ctx, one, c.now().Add(wait))
}

func (c *Catalog) deleteFiles(ctx context.Context, one *database.Deletion) error {
	switch one.What {
	case database.DeleteFile:
		return c.deleteAllowed(ctx, one.Location)
	case database.DeleteTable:
		return c.purge(ctx, one.Location)
	}
	return fmt.Errorf("this release cannot delete a %q", one.What)
}

// purge deletes what a table's last metadata file leads to, and only when all
// that is gone the file itself: without it nothing could be found any more.
func (c *Catalog) purge(ctx context.Context, location string) error {
	t, err := c.readTable(ctx, location)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	header, err := t.Header()
	if err != nil {
		return err
	}
	// The table may have been registered twice, or again since it was dropped.
	if kept, err := c.db.Read(ctx).LeadsTo(ctx, header.UUID, location); err != nil {
		return err
	} else if kept {
		c.log.WarnContext(ctx, "a dropped table was not purged, since the catalog has a table with the same files",
			slog.String("location", location))
		return nil
	}
	useless, err := t.Purgeable(ctx, c.files.IO(ctx))
	if err != nil {
		return err
	}
	last := len(useless) - 1
	if err := c.deleteAllowed(ctx, useless[:last]...); err != nil {
		return err
	}
	return c.deleteAllowed(ctx, useless[last])
}

// deleteAllowed deletes files, but for those that clients have put into the
// metadata without their being where tables may be. It goes on after a failure and
// returns all of them.
func (c *Catalog) deleteAllowed(ctx context.Context, locations ...string) error {
	var failures []error
	for _, location := range locations {
		err := c.files.Delete(ctx, location)
		if errors.Is(err, files.ErrLocation) {
			c.log.WarnContext(ctx, "a file of a table was not deleted", slog.Any("cause", err))
			continue
		}
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}
