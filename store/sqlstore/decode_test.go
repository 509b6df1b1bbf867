package sqlstore_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// FuzzRecord decodes whatever a row can hold: into a record that a store can
// return, or into ErrCorrupt.
func FuzzRecord(f *testing.F) {
	hash := strings.Repeat("0f", 32)
	f.Add("k", hash, hash, "o", int64(200), byte(0), `{"ETag":["1"]}`, "body", []byte("x"), int64(1), int64(2))
	f.Add("k", hash, hash, "o", int64(0), byte(0b11111), "", "", []byte(nil), int64(1), int64(2))
	f.Add("k", hash, "XX", "", int64(-7), byte(0b10101), `{"a":["\u0100"]}`, "omitted", []byte("x"), int64(-1), int64(1<<62))
	f.Fuzz(func(t *testing.T, key, principal, request, owner string, status int64, nulls byte,
		header, encoding string, payload []byte, lease, expires int64,
	) {
		r := &sqlstore.Row{Key: key, Principal: principal, Request: request, Owner: owner, Payload: payload, ExpiresAt: expires}
		if nulls&1 == 0 {
			r.Status = &status
		}
		if nulls&2 == 0 {
			r.Header = &header
		}
		if nulls&4 == 0 {
			r.Encoding = &encoding
		}
		if nulls&8 == 0 {
			r.FinalizedAt = &lease
		}
		if nulls&16 == 0 {
			r.LeaseExpiresAt = &lease
		}
		rec, err := sqlstore.Record(r)
		if err != nil {
			if !errors.Is(err, store.ErrCorrupt) {
				t.Fatalf("error %v, want %v", err, store.ErrCorrupt)
			}
			return
		}
		if rec.Key == "" || rec.Token == "" {
			t.Fatalf("a record without key or token: %+v", rec)
		}
		if rec.Final() != (r.Status != nil) {
			t.Fatalf("status %v became %+v", r.Status, rec.Outcome)
		}
		if o := rec.Outcome; o != nil && (o.Status < 100 || o.Status > 599 || !o.Kind.Valid() || o.Header == nil) {
			t.Fatalf("an outcome that cannot be: %+v", o)
		}
	})
}

// TestHeadersKeepEveryByte encodes and decodes headers of any bytes.
func TestHeadersKeepEveryByte(t *testing.T) {
	t.Parallel()
	text := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) })
	rapid.Check(t, func(t *rapid.T) {
		header := http.Header(rapid.MapOf(text, rapid.SliceOf(text)).Draw(t, "header"))
		encoded, err := sqlstore.EncodeHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := sqlstore.DecodeHeader(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(header, decoded); diff != "" {
			t.Fatalf("encoded and decoded differ:\n%s", diff)
		}
	})
}

func TestHeadersAreReadable(t *testing.T) {
	t.Parallel()
	encoded, err := sqlstore.EncodeHeader(http.Header{"ETag": {`"5"`}, "Location": {"/v1/t"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"ETag":["\"5\""],"Location":["/v1/t"]}`; encoded != want {
		t.Errorf("encoded as %s, want %s", encoded, want)
	}
}
