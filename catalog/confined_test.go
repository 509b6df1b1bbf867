package catalog_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/catalog"
)

// confined is a catalog that may use its warehouse and one more folder, and a
// folder outside with a file in it.
func confined(t *testing.T) (s server, more, outside, victim string) {
	t.Helper()
	home, more, outside := t.TempDir(), t.TempDir(), t.TempDir()
	victim = filepath.Join(outside, "victim.metadata.json")
	if err := os.WriteFile(victim, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = serve(t, catalog.Config{Warehouse: "file:" + home, Locations: []string{"file:" + home, more}}).withNamespace()
	return s, more, outside, victim
}

// Who may write a table must not have the server write or read anything that the
// server can.
func TestLocationsOutsideAreRefused(t *testing.T) {
	t.Parallel()
	s, more, outside, victim := confined(t)
	create := func(name, members string) answer {
		return s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"`+name+`","schema":`+idSchema+members+`}`)
	}
	s.must(200, create("t", ""))
	s.must(200, create("elsewhere", `,"location":"file://`+more+`/elsewhere"`))
	update := func(text string) answer {
		return s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[`+text+`]}`)
	}
	view := func(name, location string) answer {
		return s.do(http.MethodPost, pathOf("ns")+"/views", `{"name":"`+name+`","location":"`+location+`","schema":`+idSchema+
			`,"properties":{},"view-version":{"version-id":1,"timestamp-ms":1,"schema-id":0,"summary":{},"default-namespace":["ns"],`+
			`"representations":[{"type":"sql","sql":"SELECT 1","dialect":"x"}]}}`)
	}
	for what, refused := range map[string]func() answer{
		"create":          func() answer { return create("x", `,"location":"file://`+outside+`/x"`) },
		"create beside":   func() answer { return create("x", `,"location":"`+more+`beside"`) },
		"create in S3":    func() answer { return create("x", `,"location":"s3://bucket/x"`) },
		"stage":           func() answer { return create("x", `,"stage-create":true,"location":"`+outside+`/x"`) },
		"metadata folder": func() answer { return create("x", `,"properties":{"write.metadata.path":"`+outside+`"}`) },
		"move": func() answer {
			return update(`{"action":"set-location","location":"` + outside + `"}`)
		},
		"move, metadata inside": func() answer {
			return update(`{"action":"set-location","location":"` + outside + `"},` +
				`{"action":"set-properties","updates":{"write.metadata.path":"` + more + `/m"}}`)
		},
		"register":      func() answer { return s.do(http.MethodPost, pathOf("ns")+"/register", registration("x", victim)) },
		"register view": func() answer { return s.do(http.MethodPost, pathOf("ns")+"/register-view", registration("x", victim)) },
		"view":          func() answer { return view("x", outside+"/v") },
	} {
		a := s.must(400, refused())
		if !strings.Contains(a.text, "outside of the locations that this catalog may use") {
			t.Errorf("%s does not say why: %s", what, a.text)
		}
	}
	s.must(200, view("v", more+"/v"))
	s.must(404, s.do(http.MethodGet, tablePath("x"), ""))
	if found, err := os.ReadDir(outside); err != nil || len(found) != 1 {
		t.Errorf("outside there is %v, %v", found, err)
	}
}

func registration(name, location string) string {
	return fmt.Sprintf(`{"name":%q,"metadata-location":%q}`, name, location)
}

// A client may put any path into a table's metadata. A purge follows none that
// leads outside, and is done all the same.
func TestPurgeStaysInside(t *testing.T) {
	t.Parallel()
	s, _, outside, victim := confined(t)
	s.must(200, s.createTable("t"))
	s.must(200, s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[`+
		`{"action":"set-statistics","snapshot-id":7,"statistics":{"snapshot-id":7,"statistics-path":"file://`+victim+`",`+
		`"file-size-in-bytes":1,"file-footer-size-in-bytes":1,"blob-metadata":[]}},`+
		`{"action":"add-snapshot","snapshot":{"snapshot-id":1,"sequence-number":1,"timestamp-ms":9999999999999,`+
		`"manifest-list":"`+victim+`","summary":{"operation":"append"},"schema-id":0}}]}`))
	s.must(204, s.do(http.MethodDelete, tablePath("t")+"?purgeRequested=true", ""))
	eventually(t, "the table's own files are still there", func() bool { return len(s.metadataFiles()) == 0 })
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
	if found, err := os.ReadDir(outside); err != nil || len(found) != 1 {
		t.Errorf("outside there is %v, %v", found, err)
	}
}

// Who registers somebody else's table must not get its files deleted by a drop.
func TestPurgeLeavesWhatAnotherTableHas(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{}).withNamespace()
	victim := location(s.must(200, s.createTable("victim")))
	s.must(200, s.do(http.MethodPost, pathOf("ns")+"/register", registration("loot", victim)))
	s.must(204, s.do(http.MethodDelete, tablePath("loot")+"?purgeRequested=true", ""))
	s.must(200, s.createTable("other"))
	s.must(204, s.do(http.MethodDelete, tablePath("other")+"?purgeRequested=true", ""))
	eventually(t, "the purge after it is not done", func() bool { return len(s.metadataFiles()) == 1 })
	s.must(200, s.do(http.MethodGet, tablePath("victim"), ""))
	s.must(204, s.do(http.MethodDelete, tablePath("victim")+"?purgeRequested=true", ""))
	eventually(t, "the last table is not purged", func() bool { return len(s.metadataFiles()) == 0 })
}

// A location that is none is told when the catalog is made.
func TestConfinedToNothing(t *testing.T) {
	t.Parallel()
	for _, locations := range [][]string{{}, {"relative"}, {"/a/../b"}, {"s3:bucket"}} {
		config := complete(t, catalog.Config{Locations: locations}, dsns["sqlite"](t))
		if _, err := catalog.New(config); err == nil {
			t.Errorf("%q is taken", locations)
		}
	}
}
