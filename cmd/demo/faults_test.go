package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/internal/specwatch"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// faulty is a catalog with something between it and its clients.
type faulty struct {
	catalog http.Handler
	fault   string

	mu   sync.Mutex
	seen map[string]*httptest.ResponseRecorder // answers to commits by path
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := httptest.NewRecorder()
	if isCommit := r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/tables/"); isCommit {
		f.mu.Lock()
		defer f.mu.Unlock()
		answer = f.commit(r)
		f.seen[r.URL.Path] = cmp.Or(f.seen[r.URL.Path], answer)
	} else {
		f.catalog.ServeHTTP(answer, r)
	}
	text := answer.Body.Bytes()
	if f.fault == "no lifetime" && strings.HasSuffix(r.URL.Path, "/config") {
		text = bytes.Replace(text, []byte(`"idempotency-key-lifetime"`), []byte(`"something-else"`), 1)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.Header().Del("Content-Length")
	w.WriteHeader(answer.Code)
	_, _ = w.Write(text)
}

var snapshotID = regexp.MustCompile(`("snapshot-id": ?)\d+`)

// commit is called with the mutex held.
func (f *faulty) commit(r *http.Request) *httptest.ResponseRecorder {
	answer, first := httptest.NewRecorder(), f.seen[r.URL.Path]
	switch {
	case f.fault == "keys ignored":
		r.Header.Del(generated.KeyHeader)
	case f.fault == "conflicts ignored" && strings.HasSuffix(r.URL.Path, "/unsafe") && first != nil:
		return first
	case f.fault == "applied twice" && first != nil:
		r.Header.Del(generated.KeyHeader)
		var body map[string]json.RawMessage
		_ = json.NewDecoder(r.Body).Decode(&body)
		body["requirements"] = json.RawMessage("[]")
		body["updates"] = snapshotID.ReplaceAll(body["updates"], []byte("${1}123"))
		text, _ := json.Marshal(body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		answer.Header().Set("Idempotency-Replayed", "true")
	}
	f.catalog.ServeHTTP(answer, r)
	if f.fault == "unmarked" {
		answer.Header().Del("Idempotency-Replayed")
	}
	return answer
}

// newCatalog is what cmd/server serves in the demonstration.
func newCatalog(t *testing.T) http.Handler {
	t.Helper()
	db, err := sqlstore.OpenDB(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "catalog.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := database.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := sqlstore.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	records, err := sqlstore.New(db, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { records.Close() })
	quiet := slog.New(slog.DiscardHandler)
	c, err := catalog.New(catalog.Config{
		DB: db, Tx: sqlstore.DB, OnRollback: sqlstore.OnRollback, Logger: quiet,
		Warehouse: "file:" + t.TempDir(), KeyLifetime: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	guard, err := runtime.NewGuard(records, runtime.Config{
		Mode: runtime.ModeTransactional, Replayer: c, Lifetime: time.Hour, Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := guard.Close(t.Context()); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
	})
	e := echo.New()
	generated.Register(e, c, guard)
	return e
}

// The demonstration would notice.
func TestStoryNoticesFaults(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"none":              "",
		"no lifetime":       "no lifetime is advertised",
		"keys ignored":      "the append failed: CommitFailedException",
		"unmarked":          "no lost answer and a replay of it",
		"applied twice":     "the table has 2 snapshots",
		"conflicts ignored": "a conflict was expected",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			handler := &faulty{fault: fault, catalog: newCatalog(t), seen: map[string]*httptest.ResponseRecorder{}}
			server := httptest.NewServer(handler)
			defer server.Close()
			var out strings.Builder
			err := story(t.Context(), &report{out: &out}, specwatch.Front(t, server.URL))
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%v\n%s", err, &out)
			}
		})
	}
}
