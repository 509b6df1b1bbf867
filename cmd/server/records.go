package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// records is the idempotency store of a server. Its store is nil when keys are
// ignored.
type records struct {
	store store.Store
	// ready returns an error when the store cannot be used.
	ready func(context.Context) error
}

func openRecords(ctx context.Context, s *settings.Settings, t *telemetry, log *slog.Logger) (*records, error) {
	switch i := s.Idempotency; {
	case !i.Enabled:
		return &records{ready: func(context.Context) error { return nil }}, nil
	case i.StoreType == settings.StoreSQL:
		return openSQL(ctx, i.SQL, log)
	default:
		return openMemory(i, t, log)
	}
}

func (r *records) close() error {
	if r.store == nil {
		return nil
	}
	return r.store.Close()
}

func sqlOptions(s settings.SQL, log *slog.Logger) sqlstore.Options {
	return sqlstore.Options{MaxPoolSize: s.MaxPoolSize, User: s.User, Password: s.Password, Logger: log}
}

func openSQL(ctx context.Context, s settings.SQL, log *slog.Logger) (*records, error) {
	db, err := sqlstore.Open(ctx, s.DSN, sqlOptions(s, log))
	if err != nil {
		return nil, fmt.Errorf("idempotency.sql.dsn: %w", err)
	}
	if err := db.Current(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("idempotency.sql.dsn: %w; server migrate brings the tables up to date", err)
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
	return &records{store: m, ready: func(context.Context) error { return nil }}, nil
}

// evictions counts records that were forgotten before their time and, now and
// then, warns about it: each is a promise to a client that may not be kept.
type evictions struct {
	counter metric.Int64Counter
	log     *slog.Logger
	warned  atomic.Int64 // when last, in nanoseconds since 1970
}

const warnInterval = time.Minute

func newEvictions(t *telemetry, log *slog.Logger) (*evictions, error) {
	counter, err := t.metrics.Meter(scope).Int64Counter("onceberg.store.evictions",
		metric.WithDescription("Live records that the in-memory store gave up for lack of room."))
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	counter.Add(context.Background(), 0) // so that it can be watched before it happens
	return &evictions{counter: counter, log: log}, nil
}

func (e *evictions) add(count int, _ memory.Cause) {
	e.counter.Add(context.Background(), int64(count))
	now, last := time.Now().UnixNano(), e.warned.Load()
	if now-last >= int64(warnInterval) && e.warned.CompareAndSwap(last, now) {
		e.log.Warn("records are evicted before their lifetime ends; their retries would execute again",
			slog.String("key", "idempotency.max-entries"))
	}
}
