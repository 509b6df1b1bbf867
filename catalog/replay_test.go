package catalog_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// Case A11: twins are executed once and answered alike.
func TestTwins(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		if !s.keyed {
			return
		}
		s.withNamespace()
		for name, send := range map[string]func(key []string) answer{
			"create": func(key []string) answer { return s.createTable("t", key...) },
			"view":   func(key []string) answer { return s.createView("v", key...) },
		} {
			s.twins(t, name, send)
		}
		s.twins(t, "update", func(key []string) answer { return s.do(http.MethodPost, tablePath("t"), appendSnapshot(1), key...) })
		s.twins(t, "drop", func(key []string) answer { return s.do(http.MethodDelete, tablePath("t"), "", key...) })
		if files := s.metadataFiles(); len(files) != 3 {
			t.Errorf("%d files: %q", len(files), files)
		}
	})
}

func (s server) twins(t *testing.T, name string, send func(key []string) answer) {
	t.Helper()
	const callers = 8
	key := newKey()
	var wg sync.WaitGroup
	answers := make(chan answer, callers)
	for range callers {
		wg.Go(func() { answers <- send(key) })
	}
	wg.Wait()
	close(answers)
	first := <-answers
	executed := 0
	for a := first; ; {
		if a.status != first.status || a.text != first.text || a.status > 204 {
			t.Errorf("%s: %d %s and %d %s", name, first.status, first.text, a.status, a.text)
		}
		if a.header.Get("Idempotency-Replayed") != "true" {
			executed++
		}
		var more bool
		if a, more = <-answers; !more {
			break
		}
	}
	if executed != 1 {
		t.Errorf("%s: %d executions", name, executed)
	}
}

// vendor vends a secret that is another one each time.
type vendor struct{ count atomic.Int64 }

func (v *vendor) Vend(_ context.Context, storage catalog.Storage) ([]generated.StorageCredential, error) {
	return []generated.StorageCredential{{
		Prefix: storage.Location, Config: map[string]string{"s3.secret-access-key": fmt.Sprintf("s3cr3t-%d", v.count.Add(1))},
	}}, nil
}

func secretOf(a answer) string {
	list, _ := a.body["storage-credentials"].([]any)
	if len(list) == 0 {
		return ""
	}
	return list[0].(map[string]any)["config"].(map[string]any)["s3.secret-access-key"].(string)
}

// Case A2: credentials go to who asks for them, fresh ones with each replay, and
// into no record.
func TestCredentials(t *testing.T) {
	t.Parallel()
	for _, mode := range []runtime.Mode{runtime.ModeTwoPhase, runtime.ModeTransactional} {
		s := listen(t, complete(t, catalog.Config{Credentials: &vendor{}}, dsns["sqlite"](t)), mode).withNamespace()
		asking := []string{"X-Iceberg-Access-Delegation", "remote-signing,vended-credentials"}
		for _, body := range []string{
			`{"name":"t","schema":` + idSchema + `}`, `{"name":"n","stage-create":true,"schema":` + idSchema + `}`,
		} {
			key := append(newKey(), asking...)
			first := s.must(200, s.do(http.MethodPost, pathOf("ns")+"/tables", body, key...))
			again := s.must(200, s.do(http.MethodPost, pathOf("ns")+"/tables", body, key...))
			if one, two := secretOf(first), secretOf(again); one == "" || two == "" || one == two {
				t.Errorf("%s: %q, then %q", mode, one, two)
			}
			if again.header.Get("Idempotency-Replayed") != "true" || jsonOf(again.body["metadata"]) != jsonOf(first.body["metadata"]) {
				t.Errorf("%s: %s", mode, again.text)
			}
		}
		if a := s.must(200, s.do(http.MethodGet, tablePath("t"), "", asking...)); secretOf(a) == "" {
			t.Error(a.text)
		}
		if a := s.must(200, s.do(http.MethodGet, tablePath("t"), "")); secretOf(a) != "" {
			t.Error(a.text)
		}
		if a := s.must(200, s.do(http.MethodGet, tablePath("t")+"/credentials", "")); secretOf(a) == "" {
			t.Error(a.text)
		}
		if mode == runtime.ModeTransactional {
			var found int
			err := s.db.NewRaw(`SELECT count(*) FROM iceberg_idempotency_key_meta WHERE instr(response_summary, 's3cr3t') > 0`).Scan(t.Context(), &found)
			if err != nil || found != 0 {
				t.Errorf("%d records hold a secret, %v", found, err)
			}
		}
	}
	s := serve(t, catalog.Config{}).withNamespace()
	s.must(200, s.createTable("t"))
	if a := s.must(200, s.do(http.MethodGet, tablePath("t")+"/credentials", "")); a.text != `{"storage-credentials":[]}` {
		t.Error(a.text)
	}
}
