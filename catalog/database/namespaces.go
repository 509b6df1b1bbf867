package database

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/uptrace/bun"
)

// The bounds of a name in bytes, which every database can index.
const (
	// MaxNamespace is for the levels together, with one byte between two.
	MaxNamespace = 2048
	// MaxName is for a table or view.
	MaxName = 1024
)

// separator joins the levels of a name in the database, and afterwards is what
// follows all names that begin with it.
const (
	separator  = "\x1f"
	afterwards = "\x20"
)

// Encode returns the name of a namespace as the database has it. Levels must not
// be empty and must not contain the unit separator or a zero byte.
func Encode(levels []string) string { return strings.Join(levels, separator) }

// Namespace is a namespace that was created.
type Namespace struct {
	ID         string
	Properties map[string]string
}

type namespaceRow struct {
	bun.BaseModel `bun:"table:iceberg_namespaces,alias:n"`

	ID         string `bun:"id,pk"`
	Name       string `bun:"name"`
	Properties string `bun:"properties"`
}

// Lock says how the rows that are read are kept from others until the
// transaction ends.
type Lock int

const (
	// Unlocked rows may change at once.
	Unlocked Lock = iota
	// Shared rows may be read by others and not be changed.
	Shared
	// Exclusive rows are the reader's alone.
	Exclusive
)

func (d *dialect) suffix(l Lock) string {
	switch l {
	case Shared:
		return d.forShare
	case Exclusive:
		return d.forUpdate
	case Unlocked:
	}
	return ""
}

// Namespace returns a namespace, nil when there is none by that name. Locks are
// for units of work.
func (r *Reader) Namespace(ctx context.Context, levels []string, l Lock) (*Namespace, error) {
	var row namespaceRow
	var err error
	if suffix := r.dialect.suffix(l); suffix == "" {
		err = r.q.NewSelect().Model(&row).Where("name = ?", Encode(levels)).Scan(ctx)
	} else {
		err = r.q.NewRaw("SELECT * FROM iceberg_namespaces WHERE name = ?"+suffix, Encode(levels)).Scan(ctx, &row)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, r.failed("read namespace", err)
	}
	n := &Namespace{ID: row.ID}
	if err := json.Unmarshal([]byte(row.Properties), &n.Properties); err != nil {
		return nil, fmt.Errorf("namespace %s: its properties cannot be read: %w", row.ID, err)
	}
	if n.Properties == nil {
		n.Properties = map[string]string{}
	}
	return n, nil
}

// Descendants returns the encoded names below a parent, or all without one, that
// come after the descendant named after, which may be empty. They are in order
// and without the parent's own name in front.
func (r *Reader) Descendants(ctx context.Context, parent []string, after string) ([]string, error) {
	q := r.q.NewSelect().Model((*namespaceRow)(nil)).Column("name").Order("name")
	prefix := ""
	if len(parent) > 0 {
		prefix = Encode(parent) + separator
		q = q.Where("name < ?", Encode(parent)+afterwards)
	}
	var names []string
	if err := q.Where("name > ?", prefix+after).Scan(ctx, &names); err != nil {
		return nil, r.failed("list namespaces", err)
	}
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], prefix)
	}
	return names, nil
}

// HasDescendants reports whether a namespace was created below a parent.
func (r *Reader) HasDescendants(ctx context.Context, parent []string) (bool, error) {
	there, err := r.q.NewSelect().Model((*namespaceRow)(nil)).
		Where("name > ?", Encode(parent)+separator).Where("name < ?", Encode(parent)+afterwards).Exists(ctx)
	if err != nil {
		return false, r.failed("look below namespace", err)
	}
	return there, nil
}

// CreateNamespace reports false when there is one by that name.
func (w *Work) CreateNamespace(ctx context.Context, levels []string, properties map[string]string) (bool, error) {
	text, err := encodeProperties(properties)
	if err != nil {
		return false, err
	}
	row := &namespaceRow{ID: newID(), Name: Encode(levels), Properties: text}
	created, err := changed(w.q.NewInsert().Model(row).Ignore().Exec(ctx))
	if err != nil {
		return false, w.failed("create namespace", err)
	}
	return created, nil
}

// SetProperties replaces a namespace's properties. The caller holds it
// Exclusive.
func (w *Work) SetProperties(ctx context.Context, n *Namespace, properties map[string]string) error {
	text, err := encodeProperties(properties)
	if err != nil {
		return err
	}
	_, err = w.q.NewUpdate().Table("iceberg_namespaces").Set("properties = ?", text).Where("id = ?", n.ID).Exec(ctx)
	if err != nil {
		return w.failed("set properties", err)
	}
	return nil
}

// DropNamespace drops a namespace. The caller holds it Exclusive and has seen
// that it is empty.
func (w *Work) DropNamespace(ctx context.Context, n *Namespace) error {
	if _, err := w.q.NewDelete().Table("iceberg_namespaces").Where("id = ?", n.ID).Exec(ctx); err != nil {
		return w.failed("drop namespace", err)
	}
	return nil
}

func encodeProperties(properties map[string]string) (string, error) {
	if properties == nil {
		properties = map[string]string{}
	}
	text, err := json.Marshal(properties)
	if err != nil {
		return "", fmt.Errorf("encode properties: %w", err)
	}
	return string(text), nil
}

// changed reports whether a statement changed a row.
func changed(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// newID is random and grows with time, which suits an index.
func newID() string { return uuid.Must(uuid.NewV7()).String() }
