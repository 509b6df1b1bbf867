package catalog

import (
	"context"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// UpdateTable commits changes to a table, or creates one that was staged.
func (c *Catalog) UpdateTable(ctx context.Context, request generated.UpdateTableRequestObject) (generated.UpdateTableResponseObject, error) {
	id, err := c.identify(ctx, request.Table)
	if err != nil {
		return nil, err
	}
	commit, err := tables.ParseCommit(runtime.RawBody(ctx))
	if err != nil {
		return nil, answerTo(err)
	}
	var made *tables.Table
	err = c.write(ctx, func(w *database.Work) error {
		made, err = c.commit(ctx, w, id, commit)
		return err
	})
	if err != nil {
		return nil, err
	}
	summarizeTable(ctx, id, made, false)
	return committed(made), nil
}

func committed(t *tables.Table) generated.UpdateTable200JSONResponse {
	return generated.UpdateTable200JSONResponse{
		Body:    generated.CommitTableResponse{Metadata: t.Metadata, MetadataLocation: t.MetadataLocation},
		Headers: generated.UpdateTable200ResponseHeaders{ETag: etagOf(t)},
	}
}

// commitTries is how often a commit is applied to the newest state. The second
// time the entry is held, so that only a name which is dropped and created over
// and over again can use them up.
const commitTries = 4

// onNewest has a commit applied to what is there under a name, nil for nothing,
// again as long as it makes nothing because that has moved on meanwhile. The first
// try holds nothing while it reads and writes files; the next one keeps others
// waiting.
func onNewest[Made any](ctx context.Context, w *database.Work, id identifier, apply func(*database.Entry) (*Made, error)) (*Made, error) {
	held := database.Unlocked
	for range commitTries {
		e, err := w.Entry(ctx, id.namespace, id.name, held)
		if err != nil {
			return nil, err
		}
		if made, err := apply(e); err != nil || made != nil {
			return made, err
		}
		held = database.Exclusive
	}
	return nil, fault.New(fault.CommitFailed, "Commit failed: %s changes too often", id)
}

// commit applies a commit to the newest state of a table.
func (c *Catalog) commit(ctx context.Context, w *database.Work, id identifier, commit *tables.Commit) (*tables.Table, error) {
	return onNewest(ctx, w, id, func(e *database.Entry) (*tables.Table, error) {
		switch {
		case e == nil && commit.Creates():
			return c.commitNew(ctx, w, id, commit)
		case e != nil && e.Kind == database.View && commit.Creates():
			return nil, nameTaken(id, database.Table, e.Kind)
		case e == nil || e.Kind == database.View:
			return nil, noSuchTable(id)
		}
		return c.commitOn(ctx, w, e, commit)
	})
}

// commitOn applies a commit to an entry. It returns nothing when the entry has
// moved on.
func (c *Catalog) commitOn(ctx context.Context, w *database.Work, e *database.Entry, commit *tables.Commit) (*tables.Table, error) {
	base, err := c.readTable(ctx, e.MetadataLocation)
	if fault.Is(err, fault.NotFound) {
		return nil, c.ifStillThere(ctx, w, e, err)
	}
	if err != nil {
		return nil, err
	}
	result, err := commit.Apply(base, c.now(), c.newUUID)
	if err != nil {
		return nil, err
	}
	if !result.Changed {
		return result.Table, nil
	}
	made := result.Table
	header, err := made.Header()
	if err == nil {
		err = c.allowed(header.Location)
	}
	if err != nil {
		return nil, err
	}
	moved, err := c.moveOn(ctx, w, e, made.MetadataLocation, made.Metadata, header.UUID)
	if err != nil || !moved {
		return nil, err
	}
	for _, old := range result.Expired {
		if err := w.Schedule(ctx, database.DeleteFile, old, c.now()); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// ifStillThere returns the error about an entry's file unless the entry has moved
// on: then the file may have been deleted because it is old.
func (c *Catalog) ifStillThere(ctx context.Context, w *database.Work, e *database.Entry, missing error) error {
	now, err := w.EntryByID(ctx, e.ID)
	if err != nil {
		return err
	}
	if now == nil || now.Version != e.Version {
		return nil
	}
	return missing
}

// commitNew creates the table that a commit describes. It returns nothing when
// somebody else has taken the name meanwhile.
func (c *Catalog) commitNew(ctx context.Context, w *database.Work, id identifier, commit *tables.Commit) (*tables.Table, error) {
	n, err := space(ctx, &w.Reader, id.namespace, database.Shared)
	if err != nil {
		return nil, err
	}
	result, err := commit.Apply(nil, c.now(), c.newUUID)
	if err != nil {
		return nil, err
	}
	made := result.Table
	if err := c.writeFile(ctx, w, made.MetadataLocation, made.Metadata); err != nil {
		return nil, err
	}
	e, err := c.tableEntry(id, n, made)
	if err != nil {
		return nil, err
	}
	inserted, err := w.Insert(ctx, e)
	if err != nil {
		return nil, err
	}
	if !inserted {
		c.discard(ctx, made.MetadataLocation)
		return nil, nil
	}
	return made, nil
}
