package catalog_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog"
)

// manifestsOf are the locations of a table's manifest list and of its first manifest.
func manifestsOf(t *testing.T, of *table.Table) (list, manifest string) {
	t.Helper()
	fs, err := of.FS(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list = of.CurrentSnapshot().ManifestList
	manifests, err := of.CurrentSnapshot().Manifests(fs)
	if err != nil {
		t.Fatal(err)
	}
	return list, manifests[0].FilePath()
}

// What cannot be decoded says so and names the file, not what is in it; and ends
// nothing but the request, whatever is there.
func TestPlanOfBrokenManifests(t *testing.T) {
	t.Parallel()
	l := newLake(t, serve(t, catalog.Config{}))
	made := l.append(l.table("t", false, nil), row(1, "a", "2024-01-01"))
	id := l.plan("t", `{}`).ID
	list, manifest := manifestsOf(t, made)
	listText, err := os.ReadFile(path(list))
	if err != nil {
		t.Fatal(err)
	}
	manifestText, err := os.ReadFile(path(manifest))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, file string
		content    []byte // nil for no file
		status     int
	}{
		{"garbage for a list", list, []byte("secret: no Avro at all"), 406},
		{"an empty list", list, []byte{}, 406},
		{"half a list", list, listText[:len(listText)/2], 406},
		{"a manifest for a list", list, manifestText, 406},
		{"no list", list, nil, 404},
		{"garbage for a manifest", manifest, []byte("secret: no Avro at all"), 406},
		{"half a header", manifest, manifestText[:20], 406},
		{"a list for a manifest", manifest, listText, 406},
		{"an old list for a manifest", manifest, oldList(t), 406},
		{"no manifest", manifest, nil, 404},
	} {
		before, err := os.ReadFile(path(c.file))
		if err != nil {
			t.Fatal(err)
		}
		if c.content == nil {
			err = os.Remove(path(c.file))
		} else {
			err = os.WriteFile(path(c.file), c.content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		planned := l.do(http.MethodPost, tablePath("t")+"/plan", `{}`)
		fetched := l.do(http.MethodGet, tablePath("t")+"/plan/"+id, "")
		if planned.status != c.status || fetched.status != 404 || !strings.HasPrefix(fetched.message(), "NoSuchPlanIdException: ") {
			t.Errorf("%s: planned %d, fetched %d %s", c.what, planned.status, fetched.status, fetched.text)
		}
		for _, a := range []answer{planned, fetched} {
			if !strings.Contains(a.message(), c.file) || strings.Contains(a.text, "secret") {
				t.Errorf("%s: %s", c.what, a.text)
			}
		}
		if err := os.WriteFile(path(c.file), before, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// in the middle of its entries no file can be named, and nothing else is said either
	if err := os.WriteFile(path(manifest), manifestText[:len(manifestText)-40], 0o600); err != nil {
		t.Fatal(err)
	}
	if a := l.do(http.MethodPost, tablePath("t")+"/plan", `{}`); a.status != 406 || !strings.Contains(a.message(), "cannot be decoded") {
		t.Errorf("half a manifest: %d %s", a.status, a.text)
	}
}

// oldList is a manifest list of version 1, which as a manifest lacks what iceberg-go
// takes for granted.
func oldList(t *testing.T) []byte {
	t.Helper()
	var list bytes.Buffer
	if err := iceberg.WriteManifestList(1, &list, 1, nil, nil, 0, nil); err != nil {
		t.Fatal(err)
	}
	return list.Bytes()
}

// Who may plan learns nothing of a file outside of the locations, not even whether
// it is there.
func TestPlanOutside(t *testing.T) {
	t.Parallel()
	s, _, outside, victim := confined(t)
	s.must(200, s.createTable("t"))
	for i, file := range []string{victim, filepath.Join(outside, "none")} {
		id := jsonOf(i + 1)
		s.must(200, s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[{"action":"add-snapshot","snapshot":{"snapshot-id":`+id+
			`,"sequence-number":`+id+`,"timestamp-ms":9999999999999,"manifest-list":"`+file+`","summary":{"operation":"append"},"schema-id":0}}]}`))
		a := s.do(http.MethodPost, tablePath("t")+"/plan", `{"snapshot-id":`+id+`}`)
		if a.status != 406 || !strings.Contains(a.message(), "outside of the locations") || !strings.Contains(a.message(), file) {
			t.Errorf("%s: %d %s", file, a.status, a.text)
		}
	}
}

// A purge that meets such a manifest leaves the table's files, says so, and holds up
// no other.
func TestPurgeOfABrokenManifest(t *testing.T) {
	t.Parallel()
	var log lines
	l := newLake(t, serve(t, catalog.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}))
	broken := l.append(l.table("broken", false, nil), row(1, "a", "2024-01-01"))
	_, manifest := manifestsOf(t, broken)
	if err := os.WriteFile(path(manifest), oldList(t), 0o600); err != nil {
		t.Fatal(err)
	}
	other := location(l.must(200, l.createTable("other")))
	for _, name := range []string{"broken", "other"} {
		l.must(204, l.do(http.MethodDelete, tablePath(name)+"?purgeRequested=true", ""))
	}
	eventually(t, "the other table is not purged", func() bool {
		_, err := os.Stat(path(other))
		return os.IsNotExist(err)
	})
	eventually(t, "the operator is not told", func() bool { return strings.Contains(log.String(), "a manifest cannot be decoded") })
	if _, err := os.Stat(path(broken.MetadataLocation())); err != nil {
		t.Error(err)
	}
}

// Storage that does not give the manifests is answered as it is for metadata.
func TestPlanWithoutStorage(t *testing.T) {
	t.Parallel()
	registerFlaky()
	for scheme, registered := range map[string]iceio.IO{
		"planned-denied": guarded{iceio.NewMemFS(), new(atomic.Bool)}, "planned-off": bucketOf("planned-off"),
	} {
		iceio.Register(scheme, func(context.Context, *url.URL, map[string]string) (iceio.IO, error) { return registered, nil })
		t.Cleanup(func() { iceio.Unregister(scheme) })
	}
	bucketOf("planned-off").off.Store(true)
	s := serve(t, catalog.Config{}).withNamespace()
	s.must(200, s.createTable("t"))
	for id, c := range map[string]struct {
		list   string
		status int
		text   string
	}{
		"1": {"planned-off://b/list.avro", 503, "the storage does not give it"},
		"2": {"planned-denied://b/list.avro", 500, "this server has no right to"},
	} {
		s.must(200, s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[{"action":"add-snapshot","snapshot":{"snapshot-id":`+id+
			`,"sequence-number":`+id+`,"timestamp-ms":9999999999999,"manifest-list":"`+c.list+`","summary":{"operation":"append"},"schema-id":0}}]}`))
		a := s.do(http.MethodPost, tablePath("t")+"/plan", `{"snapshot-id":`+id+`}`)
		if a.status != c.status || !strings.Contains(a.message(), c.text) || !strings.Contains(a.message(), c.list) || strings.Contains(a.text, "secret") {
			t.Errorf("%s: %d %s", c.list, a.status, a.text)
		}
	}
}
