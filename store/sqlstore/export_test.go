package sqlstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/store"
)

// Base returns the database under the store.
func (s *Store) Base() *bun.DB { return s.base }

// Advance moves the database's clock, as this store sees it.
func (s *Store) Advance(d time.Duration) {
	s.SetSkew(time.Duration(s.clock.skew.Load())*time.Millisecond + d)
}

// Prepared reports whether the store runs prepared statements.
func (s *Store) Prepared() bool { return s.prepared.Load() }

// SetSkew sets the database's clock off by d, as this store sees it.
func (s *Store) SetSkew(d time.Duration) {
	s.prepared.Store(false) // by the clock as it was
	s.clock.skew.Store(d.Milliseconds())
}

// Now reads the database's clock.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var millis int64
	err := s.db.NewRaw("SELECT ?now").Scan(ctx, &millis)
	return instant(millis), err
}

// SetSettleTimeout sets how long a lost commit is looked for.
func (s *Store) SetSettleTimeout(d time.Duration) { s.settle = d }

// The names that tests of the package's inside use.
var (
	IsProbablyRetry = isProbablyRetry
	SQLiteName      = sqliteName
	MySQLConfig     = mysqlConfig
	EncodeHeader    = encodeHeader
	DecodeHeader    = decodeHeader
	Preparations    = preparations
)

// The accesses of a connection to SQLite.
const (
	Writing = writing
	Reading = reading
)

// Row is a record as the table holds it.
type Row = row

// Find reads the row of a key.
func (s *Store) Find(ctx context.Context, key string) (*Row, error) { return s.find(ctx, key) }

// Record decodes a row.
func Record(r *Row) (*store.Record, error) { return r.record() }

// RowOfZeros has a zero in every column that can hold one.
func RowOfZeros() *Row {
	var zero int64
	empty := ""
	return &Row{
		Key: "zeros", Status: &zero, LeaseExpiresAt: &zero, FinalizedAt: &zero,
		Header: &empty, Encoding: &empty, Payload: []byte{},
	}
}

// RowOfNulls has a NULL in every column that can hold one.
func RowOfNulls() *Row { return &Row{Key: "nulls"} }

// ExpiredRow is the row of a final record whose retention has passed.
func ExpiredRow(claim store.Claim, outcome store.Outcome) *Row {
	e, err := conclusion(claim, outcome)
	if err != nil {
		panic(err)
	}
	var past int64 = 1
	return &Row{
		Key: e.Key, Operation: e.Operation, Principal: e.Principal, Request: e.Request, Owner: e.Owner,
		Attempt: 1, Status: e.Status, Header: e.Header, Encoding: e.Encoding, Payload: e.Payload,
		CreatedAt: past, FinalizedAt: &past, ExpiresAt: past,
	}
}

// SpentKeysSQL is the query by which a purge finds what may go.
func SpentKeysSQL(s *Store) string { return s.db.QueryGen().FormatQuery(spentKeysSQL, bun.Safe("?")) }
