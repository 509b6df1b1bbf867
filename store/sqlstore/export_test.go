package sqlstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// Base returns the database under the store.
func (s *Store) Base() *bun.DB { return s.base }

// Advance moves the database's clock, as this store sees it.
func (s *Store) Advance(d time.Duration) { s.clock.skew.Add(d.Milliseconds()) }

// SetSkew sets the database's clock off by d, as this store sees it.
func (s *Store) SetSkew(d time.Duration) { s.clock.skew.Store(d.Milliseconds()) }

// Now reads the database's clock.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var millis int64
	err := s.db.NewRaw("SELECT ?now").Scan(ctx, &millis)
	return instant(millis), err
}

// The names that tests of the package's inside use.
var (
	IsProbablyRetry = isProbablyRetry
	SQLiteName      = sqliteName
	MySQLConfig     = mysqlConfig
	ErrBadDSN       = errBadDSN
)

// The accesses of a connection to SQLite.
const (
	Writing = writing
	Reading = reading
)
