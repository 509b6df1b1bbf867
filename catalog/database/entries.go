package database

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

// Kind tells tables from views.
type Kind string

// The kinds of entries.
const (
	Table Kind = "table"
	View  Kind = "view"
)

// Entry is a table or a view: a name that points to a metadata file.
type Entry struct {
	bun.BaseModel `bun:"table:iceberg_tables,alias:e"`

	// ID stays when the entry is renamed and when its metadata moves on.
	ID          string `bun:"id,pk"`
	NamespaceID string `bun:"namespace_id"`
	Name        string `bun:"name"`
	Kind        Kind   `bun:"kind"`
	// MetadataLocation is where the current metadata file is.
	MetadataLocation string `bun:"metadata_location"`
	// UUID is the table's or view's own, as its metadata says.
	UUID string `bun:"uuid"`
	// Version is raised each time the pointer moves.
	Version int64 `bun:"version"`
}

// entry reads one entry. A query without a lock is one that bun knows to be a
// read, which a database may serve from another connection.
func (r *Reader) entry(ctx context.Context, l Lock, where string, args ...any) (*Entry, error) {
	e := new(Entry)
	var err error
	if suffix := r.dialect.suffix(l); suffix == "" {
		err = r.q.NewSelect().Model(e).Where(where, args...).Scan(ctx)
	} else {
		err = r.q.NewRaw("SELECT * FROM iceberg_tables WHERE "+where+suffix, args...).Scan(ctx, e)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, r.failed("read entry", err)
	}
	return e, nil
}

// Entry returns the table or view of a name, nil when there is none or its
// namespace is missing. Locks are for units of work.
func (r *Reader) Entry(ctx context.Context, levels []string, name string, l Lock) (*Entry, error) {
	return r.entry(ctx, l, "namespace_id = (SELECT n.id FROM iceberg_namespaces AS n WHERE n.name = ?) AND name = ?",
		Encode(levels), name)
}

// EntryByID returns an entry by its ID, nil when it was dropped.
func (r *Reader) EntryByID(ctx context.Context, id string) (*Entry, error) {
	return r.entry(ctx, Unlocked, "id = ?", id)
}

// LeadsTo reports whether a table in the catalog has a UUID or points to a metadata
// file: one that was registered from the files of another.
func (r *Reader) LeadsTo(ctx context.Context, uuid, metadataLocation string) (bool, error) {
	there, err := r.q.NewSelect().Model((*Entry)(nil)).
		Where("uuid = ? AND uuid <> '' OR metadata_location = ?", uuid, metadataLocation).Exists(ctx)
	if err != nil {
		return false, r.failed("look for who else has the files", err)
	}
	return there, nil
}

// EntryNames returns the names of a namespace's tables or views in order, those
// that come after the given one, and not more than limit; 0 means all.
func (r *Reader) EntryNames(ctx context.Context, n *Namespace, kind Kind, after string, limit int) ([]string, error) {
	q := r.q.NewSelect().Model((*Entry)(nil)).Column("name").
		Where("namespace_id = ?", n.ID).Where("kind = ?", kind).Where("name > ?", after).Order("name")
	if limit > 0 {
		q = q.Limit(int64(limit))
	}
	var names []string
	if err := q.Scan(ctx, &names); err != nil {
		return nil, r.failed("list entries", err)
	}
	return names, nil
}

// HasEntries reports whether there is a table or view in a namespace.
func (r *Reader) HasEntries(ctx context.Context, n *Namespace) (bool, error) {
	there, err := r.q.NewSelect().Model((*Entry)(nil)).Where("namespace_id = ?", n.ID).Exists(ctx)
	if err != nil {
		return false, r.failed("look into namespace", err)
	}
	return there, nil
}

// Insert adds an entry, whose ID and Version it sets. It reports false when the
// name is taken. The caller holds the namespace Shared at least.
func (w *Work) Insert(ctx context.Context, e *Entry) (bool, error) {
	e.ID, e.Version = newID(), 1
	inserted, err := changed(w.q.NewInsert().Model(e).Ignore().Exec(ctx))
	if err != nil {
		return false, w.failed("insert entry", err)
	}
	return inserted, nil
}

// Swap moves an entry's pointer, and reports false when it has been moved or
// dropped by another since the entry was read.
func (w *Work) Swap(ctx context.Context, e *Entry, metadataLocation, uuid string) (bool, error) {
	swapped, err := changed(w.q.NewUpdate().Table("iceberg_tables").
		Set("metadata_location = ?", metadataLocation).Set("uuid = ?", uuid).Set("version = ?", e.Version+1).
		Where("id = ?", e.ID).Where("version = ?", e.Version).Exec(ctx))
	if err != nil {
		return false, w.failed("move the pointer", err)
	}
	return swapped, nil
}

// Rename gives an entry another name. The caller holds the entry and the
// namespace it goes to Exclusive, and has seen that the name is free.
func (w *Work) Rename(ctx context.Context, e *Entry, to *Namespace, name string) error {
	_, err := w.q.NewUpdate().Table("iceberg_tables").
		Set("namespace_id = ?", to.ID).Set("name = ?", name).Where("id = ?", e.ID).Exec(ctx)
	if err != nil {
		return w.failed("rename entry", err)
	}
	return nil
}

// Delete removes an entry. The caller holds it Exclusive.
func (w *Work) Delete(ctx context.Context, e *Entry) error {
	if _, err := w.q.NewDelete().Table("iceberg_tables").Where("id = ?", e.ID).Exec(ctx); err != nil {
		return w.failed("delete entry", err)
	}
	return nil
}
