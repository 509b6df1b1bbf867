package catalog_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/catalog/metadata/metadatatest"
)

// A table that is loaded again and again is answered from memory, to the byte as
// from its file, in each mode; but not when the file is gone, or another one has
// come in its place.
func TestLoadAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{}).withNamespace()
	file := t.TempDir() + "/00000-a.metadata.json"
	text := metadatatest.Grown("file:/here", 2)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s.must(200, s.do(http.MethodPost, pathOf("ns")+"/register", `{"name":"t","metadata-location":`+jsonOf(file)+`}`))
	load := func(query string) answer { return s.do(http.MethodGet, tablePath("t")+query, "") }
	for _, query := range []string{"", "?snapshots=refs"} {
		first, again := s.must(200, load(query)), s.must(200, load(query))
		if first.text != again.text || jsonOf(first.header["Etag"]) != jsonOf(again.header["Etag"]) ||
			again.header.Get("Content-Type") != "application/json" {
			t.Errorf("%q: %s %v, then %s %v", query, first.text, first.header, again.text, again.header)
		}
	}
	if !strings.Contains(load("").text, string(text)) {
		t.Errorf("%s is not what the file holds", load("").text)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"", "?snapshots=refs"} {
		if a := s.must(404, load(query)); !strings.HasPrefix(a.message(), "NotFoundException: Failed to open input stream for file: ") {
			t.Errorf("%q: %s", query, a.text)
		}
	}
	other := metadatatest.Grown("file:/elsewhere", 3)
	if err := os.WriteFile(file, other, 0o600); err != nil {
		t.Fatal(err)
	}
	if a := s.must(200, load("")); !strings.Contains(a.text, string(other)) {
		t.Errorf("%s is not what the file holds now", a.text)
	}
	if a := s.must(200, load("?snapshots=refs")); strings.Count(a.text, "manifest-list") != 1 || !strings.Contains(a.text, "file:/elsewhere") {
		t.Errorf("%s is not what the file holds now", a.text)
	}
}

// Many that load one table while it changes each get a whole state that it has
// had, and none older than one that was committed before they asked.
func TestLoadWhileItChanges(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{}).withNamespace()
	s.must(200, s.createTable("t"))
	s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("n", "0")))
	commits, stop := make(chan int, 100), make(chan struct{})
	var loading sync.WaitGroup
	for range 4 {
		loading.Go(func() {
			atLeast := 0
			for {
				a := s.do(http.MethodGet, tablePath("t"), "")
				properties, _ := metadata(a)["properties"].(map[string]any)
				if n, err := strconv.Atoi(fmt.Sprint(properties["n"])); err != nil || n < atLeast {
					t.Errorf("%d: %v after %d commits", a.status, properties, atLeast)
				}
				select {
				case <-stop:
					return
				case atLeast = <-commits:
				default:
				}
			}
		})
	}
	for n := 1; n <= 20; n++ {
		s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("n", strconv.Itoa(n))))
		for range 4 {
			commits <- n
		}
	}
	close(stop)
	loading.Wait()
}
