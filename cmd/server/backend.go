package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	iceio "github.com/apache/iceberg-go/io"
	_ "github.com/apache/iceberg-go/io/gocloud" // file IO for S3, GCS and Azure
	"github.com/uptrace/bun"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// backend is the catalog with its database, and with what deletes files for it.
type backend struct {
	*catalog.Catalog
	db           *bun.DB
	stopDeleting func()
}

// openBackend opens the catalog. Its tables must be up to date; those in SQLite
// are brought so, since that database is this server's own.
func openBackend(ctx context.Context, s *settings.Settings, t *telemetry, log *slog.Logger) (_ *backend, err error) {
	if err := usable(warehouse(s)); err != nil {
		return nil, err
	}
	db, err := openCatalogDatabase(ctx, s, log)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	if err := current(ctx, s, db); err != nil {
		return nil, err
	}
	reports, err := reportCounter(t)
	if err != nil {
		return nil, err
	}
	c, err := catalog.New(catalogConfig(s, db, reports, log))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Run(ctx)
	}()
	return &backend{Catalog: c, db: db, stopDeleting: func() {
		cancel()
		<-done
	}}, nil
}

func (b *backend) close() error {
	b.stopDeleting()
	return b.db.Close()
}

func openCatalogDatabase(ctx context.Context, s *settings.Settings, log *slog.Logger) (*bun.DB, error) {
	key := "catalog.dsn"
	if s.Catalog.SQL.DSN == "" {
		key = "data-folder"
		if err := os.MkdirAll(s.DataFolder, 0o700); err != nil {
			return nil, fmt.Errorf("data-folder: %w", err)
		}
	}
	db, err := sqlstore.OpenDB(ctx, s.CatalogDSN(), sqlOptions(s.Catalog.SQL, log))
	if err != nil {
		return nil, notOpened(key, err)
	}
	return db, nil
}

// current makes sure that the catalog's tables are up to date, and the records'
// too where they are in the same database.
func current(ctx context.Context, s *settings.Settings, db *bun.DB) error {
	if databaseOf(s.CatalogDSN()) == "sqlite" {
		return migrateCatalog(ctx, s, db)
	}
	err := database.Current(ctx, db)
	if err == nil && s.SharesDatabase() {
		err = sqlstore.Current(ctx, db)
	}
	if err != nil {
		return fmt.Errorf("catalog.dsn: %w; server migrate brings the tables up to date", err)
	}
	return nil
}

func migrateCatalog(ctx context.Context, s *settings.Settings, db *bun.DB) error {
	err := database.Migrate(ctx, db)
	if err == nil && s.Idempotency.SQL.DSN == "" {
		err = sqlstore.Migrate(ctx, db)
	}
	if err != nil {
		return fmt.Errorf("catalog.dsn: %w", err)
	}
	return nil
}

func catalogConfig(s *settings.Settings, db *bun.DB, reports func(context.Context, string), log *slog.Logger) catalog.Config {
	config := catalog.Config{
		DB:                 db,
		Warehouse:          warehouse(s),
		Locations:          append([]string{warehouse(s)}, s.Catalog.Locations...),
		FileIO:             s.Catalog.IO,
		Warehouses:         s.Catalog.Warehouses,
		Separator:          s.Catalog.NamespaceSeparator,
		LifetimeInDefaults: s.Idempotency.LifetimeInDefaults,
		OnReport:           reports,
		Logger:             log,
		Now:                now,
	}
	if s.Idempotency.Enabled {
		config.KeyLifetime = s.Idempotency.KeyLifetime
	}
	if s.SharesDatabase() {
		config.Tx, config.OnRollback = sqlstore.DB, sqlstore.OnRollback
	}
	return config
}

// warehouse is the location that is configured, or a folder of the data folder.
func warehouse(s *settings.Settings) string {
	if s.Catalog.Warehouse != "" {
		return s.Catalog.Warehouse
	}
	folder, err := filepath.Abs(filepath.Join(s.DataFolder, "warehouse"))
	if err != nil { // the working folder is gone
		folder = filepath.Join(string(filepath.Separator), s.DataFolder, "warehouse")
	}
	return "file://" + folder
}

// usable makes sure that there is a file IO for the warehouse, which otherwise
// would show in each request alone.
func usable(warehouse string) error {
	scheme, _, isURI := strings.Cut(warehouse, "://")
	known := iceio.GetRegisteredSchemes()
	if isURI && !slices.Contains(known, strings.ToLower(scheme)) {
		known = slices.DeleteFunc(known, func(s string) bool { return s == "" || s == "mem" })
		slices.Sort(known)
		return fmt.Errorf("catalog.warehouse: there is no file IO for %s://; known are %s", scheme, strings.Join(known, ", "))
	}
	return nil
}

// The types of metrics reports that the document names; any other is counted as
// one, so that clients cannot make up labels.
var reportTypes = []string{"scan-report", "commit-report"}

func reportCounter(t *telemetry) (func(context.Context, string), error) {
	counter, err := t.metrics.Meter(scope).Int64Counter("onceberg.catalog.reports",
		metric.WithDescription("Metrics reports that clients sent."))
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	count := func(ctx context.Context, reportType string, n int64) {
		counter.Add(ctx, n, metric.WithAttributes(attribute.String("type", reportType)))
	}
	for _, known := range reportTypes {
		count(context.Background(), known, 0) // so that it can be watched before it happens
	}
	return func(ctx context.Context, reportType string) {
		if !slices.Contains(reportTypes, reportType) {
			reportType = "other"
		}
		count(ctx, reportType, 1)
	}, nil
}
