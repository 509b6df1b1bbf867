package sqlstore

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/store"
)

// table is where the records are.
const table = "iceberg_idempotency_key_meta"

// row is a record as the table holds it. No column has a default and none turns
// zero into NULL: a status of 0 must stay visible as one. ReadAt is the database's
// clock when the row was read.
type row struct {
	bun.BaseModel `bun:"table:iceberg_idempotency_key_meta,alias:r"`

	Key            string  `bun:"idempotency_key,pk"`
	Operation      string  `bun:"operation_binding"`
	Principal      string  `bun:"principal_hash"`
	Request        string  `bun:"request_hash"`
	Owner          string  `bun:"owner"`
	Attempt        int64   `bun:"attempt"`
	LeaseExpiresAt *int64  `bun:"lease_expires_at"`
	Status         *int64  `bun:"http_status"`
	Header         *string `bun:"response_headers"`
	Encoding       *string `bun:"response_encoding"`
	Payload        []byte  `bun:"response_summary"`
	Audit          string  `bun:"audit_info"`
	CreatedAt      int64   `bun:"created_at"`
	FinalizedAt    *int64  `bun:"finalized_at"`
	ExpiresAt      int64   `bun:"expires_at"`

	ReadAt int64 `bun:"read_at,scanonly"`
}

// expired reports whether the row counts as absent.
func (r *row) expired() bool { return r.ExpiresAt <= r.ReadAt }

// abandoned reports whether the row is a reservation whose lease has run out.
func (r *row) abandoned() bool {
	return r.Status == nil && r.LeaseExpiresAt != nil && *r.LeaseExpiresAt <= r.ReadAt
}

// holds reports whether the row keeps a claim from its key. An abandoned
// reservation gives way only to the request that it belongs to.
func (r *row) holds(claim store.Claim) bool {
	if r.expired() {
		return false
	}
	sameRequest := r.Principal == claim.Binding.Principal.String() && r.Request == claim.Binding.Request.String()
	return !r.abandoned() || !sameRequest
}

// ownedBy reports whether the row is held, or was finalized, by the token.
func (r *row) ownedBy(token store.Token) bool { return r.Owner == string(token) }

// record decodes the row. Whatever cannot have been written by this package is
// store.ErrCorrupt, with the column's name and never its content.
func (r *row) record() (*store.Record, error) {
	if r.Key == "" {
		return nil, r.corrupt("idempotency_key", "empty")
	}
	if r.Owner == "" {
		return nil, r.corrupt("owner", "empty")
	}
	rec := &store.Record{
		Key:       r.Key,
		Token:     store.Token(r.Owner),
		CreatedAt: instant(r.CreatedAt),
		ExpiresAt: instant(r.ExpiresAt),
		Audit:     r.Audit,
	}
	rec.Binding.Operation = r.Operation
	if !decodeHash(r.Principal, &rec.Binding.Principal) {
		return nil, r.corrupt("principal_hash", "not a SHA-256 in hexadecimal")
	}
	if !decodeHash(r.Request, &rec.Binding.Request) {
		return nil, r.corrupt("request_hash", "not a SHA-256 in hexadecimal")
	}
	if r.Status == nil {
		return rec, r.decodeReserved(rec)
	}
	return rec, r.decodeFinal(rec)
}

func (r *row) decodeReserved(rec *store.Record) error {
	switch {
	case r.FinalizedAt != nil:
		return r.corrupt("finalized_at", "set although there is no http_status")
	case r.Header != nil || r.Encoding != nil || len(r.Payload) > 0:
		return r.corrupt("response_summary", "a response although there is no http_status")
	case r.LeaseExpiresAt == nil:
		return r.corrupt("lease_expires_at", "missing from a reservation")
	}
	rec.LeaseExpiresAt, rec.Lapsed = instant(*r.LeaseExpiresAt), r.abandoned()
	return nil
}

func (r *row) decodeFinal(rec *store.Record) error {
	switch {
	case *r.Status < 100 || *r.Status > 599:
		return r.corrupt("http_status", fmt.Sprintf("%d is not an HTTP status", *r.Status))
	case r.FinalizedAt == nil:
		return r.corrupt("finalized_at", "missing although there is an http_status")
	case r.Encoding == nil:
		return r.corrupt("response_encoding", "missing although there is an http_status")
	case r.Header == nil:
		return r.corrupt("response_headers", "missing although there is an http_status")
	}
	kind := store.Kind(*r.Encoding)
	if !kind.Valid() {
		return r.corrupt("response_encoding", "unknown")
	}
	if kind == store.KindOmitted && len(r.Payload) > 0 {
		return r.corrupt("response_summary", "not empty although the body was omitted")
	}
	header, err := decodeHeader(*r.Header)
	if err != nil {
		return r.corrupt("response_headers", err.Error())
	}
	rec.FinalizedAt = instant(*r.FinalizedAt)
	rec.Outcome = &store.Outcome{Status: int(*r.Status), Header: header, Kind: kind, Payload: r.Payload}
	return nil
}

func (r *row) corrupt(column, why string) error {
	return fmt.Errorf("%w: key %s: column %s: %s", store.ErrCorrupt, r.Key, column, why)
}

// decodeHash reads what Hash.String wrote, and nothing else.
func decodeHash(text string, into *store.Hash) bool {
	if len(text) != hex.EncodedLen(len(into)) || strings.ToLower(text) != text {
		return false
	}
	_, err := hex.Decode(into[:], []byte(text))
	return err == nil
}
