package sqlstore_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// TestZeroIsStored is case D12: no column takes zero for NULL or for a default,
// and none takes NULL for zero.
func TestZeroIsStored(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		s, _ := d.migrated(t)
		zeros := sqlstore.RowOfZeros()
		nulls := sqlstore.RowOfNulls()
		for _, written := range []*sqlstore.Row{zeros, nulls} {
			if _, err := s.Base().NewInsert().Model(written).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
			read, err := s.Find(t.Context(), written.Key)
			if err != nil {
				t.Fatal(err)
			}
			read.ReadAt = 0
			if diff := cmp.Diff(written, read); diff != "" {
				t.Errorf("written and read differ:\n%s", diff)
			}
		}
		for column, want := range map[string]int{"http_status": 0, "finalized_at": 0, "lease_expires_at": 0, "attempt": 0, "expires_at": 0} {
			var n int
			query := fmt.Sprintf("SELECT count(*) FROM iceberg_idempotency_key_meta WHERE idempotency_key = ? AND %s = %d", column, want)
			if err := s.Base().NewRaw(query, zeros.Key).Scan(t.Context(), &n); err != nil {
				t.Fatal(err)
			}
			if n != 1 {
				t.Errorf("%s is not stored as %d", column, want)
			}
		}
	})
}

// corruptions are edits that leave what no store wrote.
var corruptions = map[string]string{
	"status 0":                     "http_status = 0",
	"status 99":                    "http_status = 99",
	"status 600":                   "http_status = 600",
	"status 999":                   "http_status = 999",
	"negative status":              "http_status = -1",
	"unknown encoding":             "response_encoding = 'lzma'",
	"encoding in another case":     "response_encoding = 'BODY'",
	"no encoding":                  "response_encoding = NULL",
	"omitted body that is there":   "response_encoding = 'omitted'",
	"headers that are no JSON":     "response_headers = '{'",
	"headers that are null":        "response_headers = 'null'",
	"headers that are a list":      "response_headers = '[]'",
	"header values that are text":  "response_headers = '{\"ETag\":\"x\"}'",
	"header beyond bytes":          "response_headers = '{\"ETag\":[\"\\u0100\"]}'",
	"no headers":                   "response_headers = NULL",
	"final without finalized_at":   "finalized_at = NULL",
	"reserved with finalized_at":   "http_status = NULL",
	"reserved with a response":     "http_status = NULL, finalized_at = NULL, lease_expires_at = expires_at",
	"reserved without a lease":     "http_status = NULL, finalized_at = NULL, response_headers = NULL, response_encoding = NULL, response_summary = NULL",
	"short hash":                   "request_hash = 'abc'",
	"hash in upper case":           "principal_hash = upper(principal_hash)",
	"hash that is not hexadecimal": "principal_hash = concat('zz', substr(principal_hash, 3))",
	"no owner":                     "owner = ''",
}

func TestCorruptRowsAreLoud(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		s, _ := d.migrated(t)
		for name, edit := range corruptions {
			claim := newClaim()
			mustReserve(t, s, claim)
			if err := s.Finalize(t.Context(), claim.Key, claim.Token, created(), claim.Retain); err != nil {
				t.Fatal(err)
			}
			// bun takes a backslash before a question mark for an escape; none
			// of the edits has one.
			mustExec(t, s.Base(), "UPDATE iceberg_idempotency_key_meta SET "+d.spell(edit)+" WHERE idempotency_key = '"+claim.Key+"'")

			if rec, err := s.Load(t.Context(), claim.Key); !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("%s: Load: record %+v, error %v", name, rec, err)
			}
			if got, err := s.Reserve(t.Context(), again(claim)); !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("%s: Reserve: %+v, error %v", name, got, err)
			}
			rec, err := s.Transact(t.Context(), again(claim), committing)
			if !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("%s: Transact: record %+v, error %v", name, rec, err)
			}
		}
	})
}

// TestOutcomesThatCannotBeAreRefused keeps them out of the table.
func TestOutcomesThatCannotBeAreRefused(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		s, _ := d.migrated(t)
		for name, spoil := range map[string]func(*store.Outcome){
			"status 0":         func(o *store.Outcome) { o.Status = 0 },
			"status 600":       func(o *store.Outcome) { o.Status = 600 },
			"no kind":          func(o *store.Outcome) { o.Kind = "" },
			"unknown kind":     func(o *store.Outcome) { o.Kind = "lzma" },
			"omitted but full": func(o *store.Outcome) { o.Kind = store.KindOmitted },
		} {
			outcome := created()
			spoil(&outcome)
			claim := newClaim()
			mustReserve(t, s, claim)
			if err := s.Finalize(t.Context(), claim.Key, claim.Token, outcome, claim.Retain); err == nil {
				t.Errorf("%s: Finalize took it", name)
			}
			if rec, err := s.Load(t.Context(), claim.Key); err != nil || rec.Final() {
				t.Errorf("%s: Finalize changed the record: %+v, %v", name, rec, err)
			}
		}
	})
}

// TestTextThatNoDatabaseTakes stores what a request path can hold.
func TestTextThatNoDatabaseTakes(t *testing.T) {
	onEach(t, func(t *testing.T, d database) {
		s, _ := d.migrated(t)
		claim := newClaim()
		claim.Binding.Operation = "dropTable a\x00b\x1fc\xff ü 表 😀 ' \" \\ ? ?now"
		claim.Audit = "node\x00\xfe"
		mustReserve(t, s, claim)
		rec, err := s.Load(t.Context(), claim.Key)
		if err != nil {
			t.Fatal(err)
		}
		const bad = "\ufffd"
		if want := "dropTable a" + bad + "b\x1fc" + bad + " ü 表 😀 ' \" \\ ? ?now"; rec.Binding.Operation != want {
			t.Errorf("Operation is %q, want %q", rec.Binding.Operation, want)
		}
		if want := "node" + bad + bad; rec.Audit != want {
			t.Errorf("Audit is %q, want %q", rec.Audit, want)
		}
	})
}
