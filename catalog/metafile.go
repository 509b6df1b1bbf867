package catalog

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
	"github.com/onceberg/onceberg/catalog/metadata/views"
)

// cleanupTimeout bounds the removal of a file that nothing will point to.
const cleanupTimeout = 10 * time.Second

func (c *Catalog) readTable(ctx context.Context, location string) (*tables.Table, error) {
	text, err := c.files.Read(ctx, location)
	if err != nil {
		return nil, err
	}
	return &tables.Table{MetadataLocation: location, Metadata: text}, nil
}

func (c *Catalog) readView(ctx context.Context, location string) (*views.View, error) {
	text, err := c.files.Read(ctx, location)
	if err != nil {
		return nil, err
	}
	return &views.View{MetadataLocation: location, Metadata: text}, nil
}

// writeFile makes a metadata file, before the pointer to it is written. If the
// unit of work comes to nothing, the file goes; a file that was there before is
// somebody else's and stays, and where no file can be there is none to delete.
func (c *Catalog) writeFile(ctx context.Context, w *database.Work, location string, text []byte) error {
	err := c.files.Write(ctx, location, text)
	if !errors.Is(err, fs.ErrExist) && !fault.Is(err, fault.Invalid) {
		w.OnRollback(func() { c.discard(ctx, location) })
	}
	return err
}

// moveOn makes a metadata file and points an entry to it. It reports false, and
// leaves no file, when the entry has moved on meanwhile.
func (c *Catalog) moveOn(ctx context.Context, w *database.Work, e *database.Entry, location string, text []byte, id string) (bool, error) {
	if err := c.writeFile(ctx, w, location, text); err != nil {
		return false, err
	}
	swapped, err := w.Swap(ctx, e, location, id)
	if err == nil && !swapped {
		c.discard(ctx, location)
	}
	return swapped, err
}

// discard removes a file that nothing points to, also when the request is over.
// That it stays behind if this fails harms nobody.
func (c *Catalog) discard(ctx context.Context, location string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	if err := c.files.Delete(ctx, location); err != nil {
		c.log.WarnContext(ctx, "a metadata file that nothing points to was left behind", slog.Any("cause", err))
	}
}
