package catalog_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onceberg/onceberg/catalog"
)

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !so() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal(what)
		}
	}
}

// A purge takes what the table's metadata leads to, after the commit, and leaves
// what else is in the folder.
func TestPurge(t *testing.T) {
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		created := s.must(200, s.createTable("t"))
		s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("a", "b")))
		foreign := filepath.Join(filepath.Dir(path(location(created))), "another.txt")
		if err := os.WriteFile(foreign, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		kept := s.must(200, s.createTable("kept"))
		s.must(204, s.do(http.MethodDelete, tablePath("kept")+"?purgeRequested=false", "", newKey()...))
		s.must(204, s.do(http.MethodDelete, tablePath("t")+"?purgeRequested=true", "", newKey()...))
		eventually(t, "the files are still there", func() bool { return len(s.metadataFiles()) == 1 })
		if left := s.metadataFiles(); left[0] != path(location(kept)) {
			t.Errorf("left over: %q", left)
		}
		if _, err := os.Stat(foreign); err != nil {
			t.Error(err)
		}
		eventually(t, "the deletion is not forgotten", func() bool {
			var n int
			if err := s.db.NewRaw("SELECT count(*) FROM iceberg_deletions").Scan(t.Context(), &n); err != nil {
				t.Fatal(err)
			}
			return n == 0
		})
	})
}

// A table may ask for its old metadata files to be deleted after a commit.
func TestOldMetadataIsDeleted(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{}).withNamespace()
	s.must(200, s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"t","schema":`+idSchema+`,"properties":{`+
		`"write.metadata.delete-after-commit.enabled":"true","write.metadata.previous-versions-max":"1"}}`))
	for _, value := range []string{"1", "2", "3"} {
		s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("a", value)))
	}
	eventually(t, "old files are still there", func() bool { return len(s.metadataFiles()) == 2 })
}
