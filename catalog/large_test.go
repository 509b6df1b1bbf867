package catalog_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/catalog/metadata/metadatatest"
	"github.com/onceberg/onceberg/runtime"
)

// How large a table gets before its commits, and how many there are.
const (
	manySnapshots = 5000
	manyCommits   = 100
)

// sizes ask a database how many bytes it needs for records, indexes included;
// SQLite's answer is the whole file.
var sizes = map[string]string{
	"sqlite":   "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
	"postgres": "SELECT pg_relation_size('iceberg_idempotency_key_meta') + pg_indexes_size('iceberg_idempotency_key_meta')",
}

// Case C14: each commit to a large table answers with megabytes, of which its
// record keeps less than a KiB, and from that a replay still has everything. Refs
// mode trims the snapshots and not their log.
func TestRecordsStaySmall(t *testing.T) {
	t.Parallel()
	for name, query := range sizes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := listen(t, complete(t, catalog.Config{}, dsns[name](t)), runtime.ModeTransactional).withNamespace()
			// Nobody reads the answers but this test, which looks at one of them.
			transport := &http.Transport{}
			t.Cleanup(transport.CloseIdleConnections)
			s.client = &http.Client{Transport: transport}
			s.registerLarge(t)
			before := s.bytes(t, query)
			var first []byte
			var body string
			var key []string
			for i := 1; i <= manyCommits; i++ {
				body, key = appendToLarge(i), newKey()
				first = s.post(t, tablePath("t"), body, key[1], false)
			}
			perKey := (s.bytes(t, query) - before) / manyCommits
			if perKey >= 1024 {
				t.Errorf("a record of %d bytes", perKey)
			}
			t.Logf("%d bytes answered to a commit, %d bytes of record", len(first), perKey)
			if again := s.post(t, tablePath("t"), body, key[1], true); string(again) != string(first) {
				t.Errorf("the replay is not the first answer: %d and %d bytes", len(again), len(first))
			}
			s.refsKeepTheLog(t)
		})
	}
}

func (s server) registerLarge(t *testing.T) {
	t.Helper()
	file := t.TempDir() + "/00000-a.metadata.json"
	if err := os.WriteFile(file, metadatatest.Grown(strings.TrimSuffix(file, "/00000-a.metadata.json"), manySnapshots), 0o600); err != nil {
		t.Fatal(err)
	}
	s.must(200, s.do(http.MethodPost, pathOf("ns")+"/register", `{"name":"t","metadata-location":`+jsonOf(file)+`}`))
}

// appendToLarge is a commit of one more snapshot.
func appendToLarge(number int) string {
	parent, id := metadatatest.SnapshotID(manySnapshots+number-1), metadatatest.SnapshotID(manySnapshots+number)
	return fmt.Sprintf(`{"requirements":[{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":%[1]d}],"updates":[`+
		`{"action":"add-snapshot","snapshot":{"snapshot-id":%[2]d,"parent-snapshot-id":%[1]d,"sequence-number":%[3]d,`+
		`"timestamp-ms":%[4]d,"manifest-list":"file:/none/%[2]d.avro","summary":{"operation":"append"},"schema-id":0}},`+
		`{"action":"set-snapshot-ref","ref-name":"main","type":"branch","snapshot-id":%[2]d}]}`,
		parent, id, manySnapshots+number, metadatatest.Start+manySnapshots+int64(number))
}

// post is do without a look at the answer.
func (s server) post(t *testing.T, path, body, key string, replayed bool) []byte {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := s.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 || (response.Header.Get("Idempotency-Replayed") == "true") != replayed {
		t.Fatalf("%d %.200s, replayed: %q, %v", response.StatusCode, text, response.Header.Get("Idempotency-Replayed"), err)
	}
	return text
}

func (s server) bytes(t *testing.T, query string) (n int64) {
	t.Helper()
	if err := s.db.NewRaw(query).Scan(t.Context(), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (s server) refsKeepTheLog(t *testing.T) {
	t.Helper()
	shown := metadata(s.must(200, s.do(http.MethodGet, tablePath("t")+"?snapshots=refs", "")))
	list, _ := shown["snapshots"].([]any)
	log, _ := shown["snapshot-log"].([]any)
	if len(list) != 1 || len(log) != manySnapshots+manyCommits {
		t.Errorf("refs shows %d snapshots and a log of %d", len(list), len(log))
	}
}
