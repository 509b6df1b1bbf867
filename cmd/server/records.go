package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/uptrace/bun"
	"go.opentelemetry.io/otel/metric"

	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// records is the idempotency store of a server, with what deletes its expired
// records. The store is nil when keys are ignored.
type records struct {
	store store.Store
	// ready returns an error when the store cannot be used.
	ready func(context.Context) error
	// stopPurging ends the purger and waits until it has.
	stopPurging func()
}

// openRecords opens the store. The sql store is in the catalog's database unless
// it has one of its own.
func openRecords(ctx context.Context, s *settings.Settings, catalog *bun.DB, t *telemetry, log *slog.Logger) (r *records, err error) {
	i := s.Idempotency
	switch {
	case !i.Enabled:
		return &records{ready: alwaysReady}, nil
	case s.SharesDatabase():
		r, err = shareDatabase(catalog, log)
	case i.StoreType == settings.StoreSQL:
		r, err = openSQL(ctx, i.SQL, log)
	default:
		r, err = openMemory(i, t, log)
	}
	if err != nil {
		return nil, err
	}
	if r.stopPurging, err = startPurging(r.store, i.CleanupInterval, t, log); err != nil {
		return nil, errors.Join(err, r.store.Close())
	}
	return r, nil
}

func alwaysReady(context.Context) error { return nil }

func (r *records) close() error {
	if r.store == nil {
		return nil
	}
	r.stopPurging()
	return r.store.Close()
}

func sqlOptions(s settings.SQL, log *slog.Logger) sqlstore.Options {
	return sqlstore.Options{MaxPoolSize: s.MaxPoolSize, User: s.User, Password: s.Password, Logger: log}
}

// notOpened names the key of a database that could not be opened.
func notOpened(key string, err error) error {
	if bad, ok := errors.AsType[*sqlstore.DSNError](err); ok {
		err = bad // the key says it all
	}
	return fmt.Errorf("%s: %w", key, err)
}

func openSQL(ctx context.Context, s settings.SQL, log *slog.Logger) (*records, error) {
	db, err := sqlstore.Open(ctx, s.DSN, sqlOptions(s, log))
	if err != nil {
		return nil, notOpened("idempotency.sql.dsn", err)
	}
	if err := currentRecords(ctx, db, s.DSN); err != nil {
		return nil, errors.Join(fmt.Errorf("idempotency.sql.dsn: %w", err), db.Close())
	}
	return &records{store: db, ready: db.Current}, nil
}

// currentRecords makes sure that the tables are up to date. Those in SQLite are
// brought so, as the catalog's are.
func currentRecords(ctx context.Context, db *sqlstore.Store, dsn string) error {
	if databaseOf(dsn) == "sqlite" {
		return db.Migrate(ctx)
	}
	if err := db.Current(ctx); err != nil {
		return fmt.Errorf("%w; server migrate brings the tables up to date", err)
	}
	return nil
}

func shareDatabase(catalog *bun.DB, log *slog.Logger) (*records, error) {
	db, err := sqlstore.New(catalog, sqlstore.Options{Logger: log})
	if err != nil {
		return nil, fmt.Errorf("catalog.dsn: %w", err)
	}
	return &records{store: db, ready: db.Current}, nil
}

func openMemory(i settings.Idempotency, t *telemetry, log *slog.Logger) (*records, error) {
	evicted, err := newEvictions(t, log)
	if err != nil {
		return nil, err
	}
	m, err := memory.New(memory.Options{
		MaxEntries: i.MaxEntries,
		MaxBytes:   i.MaxBytes,
		WhenFull:   memory.WhenFull(i.WhenFull),
		OnEvict:    evicted.add,
	})
	if err != nil {
		return nil, fmt.Errorf("idempotency: %w", err)
	}
	_, err = t.metrics.Meter(scope).Int64ObservableGauge("onceberg.store.records",
		metric.WithDescription("Records that the in-memory store holds."),
		metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
			o.Observe(int64(m.Len()))
			return nil
		}))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("metrics: %w", err), m.Close())
	}
	log.Warn("idempotency records are in memory and end with this process; idempotency.store-type: sql keeps them")
	return &records{store: m, ready: alwaysReady}, nil
}
