package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// Tx returns the transaction that a context carries, and fallback when there is
// none.
type Tx func(ctx context.Context, fallback bun.IDB) bun.IDB

// OnRollback registers what undoes a mutation outside of the database, to be
// called when the transaction in the context is rolled back. It reports false
// when there is no transaction.
type OnRollback func(ctx context.Context, undo func()) bool

// Config says where a Catalog keeps its entries and files, and what it tells its
// clients. DB and Warehouse are needed; every other zero value works.
type Config struct {
	// DB is the catalog's database, migrated; see package catalog/database.
	DB *bun.DB
	// Tx and OnRollback let a request take part in a transaction that its guard
	// has begun. Both or neither are set.
	Tx         Tx
	OnRollback OnRollback
	// Warehouse is the location below which tables and views get theirs, unless
	// their creator or their namespace's property "location" says otherwise: an
	// absolute path or a URI.
	Warehouse string
	// Locations are where tables, views and their files may be, as the server reads,
	// writes and deletes them; the warehouse is to be among them. Nil means
	// everywhere, as does files.Anywhere.
	Locations []string
	// FileIO configures access to object stores, by iceberg-go's names
	// (s3.endpoint and so on). It may hold secrets and is never shown.
	FileIO map[string]string
	// Credentials vends access to clients; nil vends none.
	Credentials Credentials
	// Signer signs clients' requests to object storage; nil answers 501.
	Signer Signer
	// Warehouses are the names that clients may ask for in GET /v1/config; any
	// other is a 404. All of them stand for the one catalog there is. Without
	// any, every name is accepted.
	Warehouses []string
	// Defaults and Overrides are told to clients in GET /v1/config.
	Defaults, Overrides map[string]string
	// Separator joins the levels of a namespace in a path, beside the unit
	// separator, which is always understood. It is URL-encoded text, such as
	// %2E, and advertised when it is not the default, %1F.
	Separator string
	// KeyLifetime is how long clients may retry with one Idempotency-Key. Zero
	// means that keys are not honoured, and advertises nothing.
	KeyLifetime time.Duration
	// LifetimeInDefaults advertises KeyLifetime among the defaults too, for
	// clients that do not read the field the document has for it.
	LifetimeInDefaults bool
	// OnReport is told of every metrics report: its type as the client gave it.
	// It is called from many goroutines and must be quick.
	OnReport func(ctx context.Context, reportType string)
	// Logger hears what an operator should know; nil means slog.Default.
	Logger *slog.Logger
	// Now is the clock by which metadata is dated; nil means time.Now.
	Now func() time.Time
}

// Catalog is an Iceberg catalog in a database. It is safe for concurrent use;
// make one with New, and have Run run beside it.
type Catalog struct {
	generated.Unimplemented
	config     Config
	separator  separator
	db         *database.DB
	files      *files.Store
	renderings renderings
	log        *slog.Logger
	now        func() time.Time
	newUUID    func() string
}

var (
	_ generated.StrictServerInterface = (*Catalog)(nil)
	_ runtime.Replayer                = (*Catalog)(nil)
)

// New returns the catalog in a database. The error names what is wrong with the
// configuration.
func New(config Config) (*Catalog, error) {
	s, err := newSeparator(config.Separator)
	if err != nil {
		return nil, err
	}
	if config.Warehouse == "" {
		return nil, errors.New("catalog: the warehouse has no location")
	}
	store := files.NewStore(config.FileIO)
	if config.Locations != nil {
		if err := store.Confine(config.Locations...); err != nil {
			return nil, fmt.Errorf("catalog: locations: %w", err)
		}
	}
	db, err := database.New(database.Config{DB: config.DB, Tx: config.Tx, OnRollback: config.OnRollback})
	if err != nil {
		return nil, err
	}
	c := &Catalog{
		config: config, separator: s, db: db, files: store,
		log: config.Logger, now: config.Now, newUUID: uuid.NewString,
	}
	c.config.Warehouse = strings.TrimRight(config.Warehouse, "/")
	if c.log == nil {
		c.log = slog.Default()
	}
	if c.now == nil {
		c.now = time.Now
	}
	return c, nil
}

// notServed are the operations that a Catalog leaves to generated.Unimplemented.
var notServed = map[string]bool{
	"getToken": true,
}

// Served lists the operations that the Catalog implements as it is configured.
func (c *Catalog) Served() []*runtime.Operation {
	var served []*runtime.Operation
	for _, op := range generated.Operations {
		if !notServed[op.ID] && (op.ID != "signRequest" || c.config.Signer != nil) {
			served = append(served, op)
		}
	}
	return served
}

// write runs a unit of work and returns its error as an answer.
func (c *Catalog) write(ctx context.Context, do func(w *database.Work) error) error {
	return answerTo(c.db.Write(ctx, do))
}

// Current returns nil when the database can be reached and has all migrations.
func (c *Catalog) Current(ctx context.Context) error {
	if err := database.Current(ctx, c.config.DB); err != nil {
		return fmt.Errorf("the catalog's database cannot be used: %w", err)
	}
	return nil
}
