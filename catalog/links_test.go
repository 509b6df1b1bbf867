package catalog_test

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/catalog"
)

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// A link in the warehouse leads nobody out of it: neither a purge, nor a table that
// is to be made there, nor a registration.
func TestLinksLeadNobodyOut(t *testing.T) {
	t.Parallel()
	home, outside := t.TempDir(), t.TempDir()
	var log lines
	s := serve(t, catalog.Config{Warehouse: "file:" + home, Locations: []string{home}, Logger: slog.New(slog.NewTextHandler(&log, nil))}).withNamespace()
	link(t, outside, filepath.Join(home, "lnk"))
	table := s.must(200, s.createTable("t"))
	text, err := os.ReadFile(path(location(table)))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"st.bin": "x", "00000-a.metadata.json": string(text)} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	statistics := home + "/lnk/st.bin"
	for what, a := range map[string]answer{
		"create": s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"x","location":"`+home+`/lnk/x","schema":`+idSchema+`}`),
		"stage":  s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"x","stage-create":true,"location":"`+home+`/lnk/x","schema":`+idSchema+`}`),
		"move":   s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[{"action":"set-location","location":"`+home+`/lnk/x"}]}`),
		"folder": s.do(http.MethodPost, tablePath("t"), setProperty("write.metadata.path", home+"/lnk/m")),
		"register": s.do(http.MethodPost, pathOf("ns")+"/register",
			registration("x", home+"/lnk/00000-a.metadata.json")),
	} {
		if a.status != 400 || !strings.Contains(a.text, "outside of the locations that this catalog may use") {
			t.Errorf("%s: %d %s", what, a.status, a.text)
		}
	}
	s.must(200, s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[`+
		`{"action":"set-statistics","snapshot-id":7,"statistics":{"snapshot-id":7,"statistics-path":"`+statistics+`",`+
		`"file-size-in-bytes":1,"file-footer-size-in-bytes":1,"blob-metadata":[]}}]}`))
	s.must(204, s.do(http.MethodDelete, tablePath("t")+"?purgeRequested=true", ""))
	eventually(t, "the table's own files are still there", func() bool { return len(s.metadataFiles()) == 0 })
	if found, err := os.ReadDir(outside); err != nil || len(found) != 2 {
		t.Errorf("outside there is %v, %v", found, err)
	}
	if !strings.Contains(log.String(), statistics) {
		t.Errorf("the operator is not told: %s", log.String())
	}
}

// A warehouse may be reached by a link itself, and may be there only later.
func TestWarehouseBehindALink(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	link(t, home, filepath.Join(home, "alias"))
	warehouse := home + "/alias/w/x"
	s := serve(t, catalog.Config{Warehouse: warehouse, Locations: []string{warehouse}}).withNamespace()
	s.must(200, s.createTable("t"))
	s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("a", "b")))
	s.must(200, s.do(http.MethodGet, tablePath("t"), ""))
	s.must(204, s.do(http.MethodDelete, tablePath("t")+"?purgeRequested=true", ""))
	eventually(t, "the table is not purged", func() bool {
		left := 0
		err := filepath.WalkDir(home+"/w", func(_ string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				left++
			}
			return err
		})
		return err == nil && left == 0
	})
}

// A location with such segments is refused by its name wherever a client gives one,
// since a disk follows them and an object store does not.
func TestDotsInLocations(t *testing.T) {
	t.Parallel()
	registerFlaky()
	s := serve(t, catalog.Config{}).withNamespace()
	s.must(200, s.createTable("t"))
	file := strings.TrimPrefix(s.warehouse, "file:")
	for _, folder := range []string{file + "/a/../x", "file:" + file + "/./x", "flaky://dots/a/../x", "flaky://dots/./x"} {
		for what, a := range map[string]answer{
			"create":        s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"x","location":"`+folder+`","schema":`+idSchema+`}`),
			"stage":         s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"x","stage-create":true,"location":"`+folder+`","schema":`+idSchema+`}`),
			"move":          s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[{"action":"set-location","location":"`+folder+`"}]}`),
			"folder":        s.do(http.MethodPost, tablePath("t"), setProperty("write.metadata.path", folder)),
			"register":      s.do(http.MethodPost, pathOf("ns")+"/register", registration("x", folder+"/m.metadata.json")),
			"register view": s.do(http.MethodPost, pathOf("ns")+"/register-view", registration("x", folder+"/m.metadata.json")),
		} {
			if a.status != 400 || !strings.Contains(a.message(), folder) {
				t.Errorf("%s %s: %d %s", what, folder, a.status, a.text)
			}
		}
	}
}
