package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/store"
)

// verdict is what became of a put.
type verdict int

const (
	held      verdict = iota // a record holds the key; nothing changed
	acquired                 // the row is in the table
	takenOver                // the row replaced an abandoned reservation of the same request
)

// entry is a row on its way into the table. Its fields are the arguments of the
// put statements; a nil pointer is NULL. Durations are in milliseconds, from the
// database's now.
type entry struct {
	Key       string
	Operation string
	Principal string
	Request   string
	Owner     string
	Lease     *int64 // nil once final
	Status    *int64 // nil while reserved
	Header    *string
	Encoding  *string
	Payload   []byte
	Audit     string
	Finalized *int64 // 0 once final, nil while reserved
	Retain    int64
	Yields    bool // also to an abandoned reservation of the same request
}

// reservation is the entry of an attempt that begins. Its retention never ends
// before its lease, so that what runs never counts as expired.
func reservation(claim store.Claim) *entry {
	e := claimed(claim)
	lease := claim.Lease.Milliseconds()
	e.Lease = &lease
	e.Retain = max(e.Retain, lease)
	return e
}

// conclusion is the entry of an attempt that reserved nothing and is over.
func conclusion(claim store.Claim, outcome store.Outcome) (*entry, error) {
	e := claimed(claim)
	final, err := finish(outcome, claim.Retain)
	if err != nil {
		return nil, err
	}
	var now int64
	e.Status, e.Header, e.Encoding = &final.Status, &final.Header, &final.Encoding
	e.Payload, e.Finalized = final.Payload, &now
	return e, nil
}

func claimed(claim store.Claim) *entry {
	return &entry{
		Key:       claim.Key,
		Operation: readable(claim.Binding.Operation),
		Principal: claim.Binding.Principal.String(),
		Request:   claim.Binding.Request.String(),
		Owner:     string(claim.Token),
		Audit:     readable(claim.Audit),
		Retain:    claim.Retain.Milliseconds(),
	}
}

// final is the columns that an outcome fills.
type final struct {
	Status   int64
	Header   string
	Encoding string
	Payload  []byte
	Retain   int64
}

func finish(outcome store.Outcome, retain time.Duration) (*final, error) {
	if outcome.Status < 100 || outcome.Status > 599 {
		return nil, fmt.Errorf("outcome: %d is not an HTTP status", outcome.Status)
	}
	if !outcome.Kind.Valid() {
		return nil, fmt.Errorf("outcome: unknown kind %q", outcome.Kind)
	}
	if outcome.Kind == store.KindOmitted && len(outcome.Payload) > 0 {
		return nil, fmt.Errorf("outcome: a payload of %d bytes although the kind is %q", len(outcome.Payload), outcome.Kind)
	}
	header, err := encodeHeader(outcome.Header)
	if err != nil {
		return nil, err
	}
	payload := outcome.Payload
	if payload == nil {
		payload = []byte{} // an empty body, not a missing one
	}
	return &final{
		Status:   int64(outcome.Status),
		Header:   header,
		Encoding: string(outcome.Kind),
		Payload:  payload,
		Retain:   retain.Milliseconds(),
	}, nil
}

// readable makes any bytes into text that every database takes. Names come from
// request paths, which can hold anything, and these columns are for people.
func readable(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\ufffd"), "\ufffd")
}

// put writes the entry if nothing holds its key. An insert is all that a new key
// needs; replace says that the key has a row that may have to give way.
func (s *Store) put(ctx context.Context, conn bun.IConn, e *entry, replace bool) (verdict, error) {
	how := s.dialect.insert
	if replace {
		how = s.dialect.replace
	}
	return how.run(ctx, s.raw(how.statement, e).Conn(conn))
}

// record writes the entry unless a record holds its key, without having looked.
func (s *Store) record(ctx context.Context, conn bun.IConn, e *entry) (verdict, error) {
	v, err := s.put(ctx, conn, e, false)
	if err != nil || v != held {
		return v, err
	}
	return s.put(ctx, conn, e, true)
}
