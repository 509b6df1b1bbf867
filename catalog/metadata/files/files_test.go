package files_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	iceio "github.com/apache/iceberg-go/io"
	"github.com/klauspost/compress/zstd"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

const text = `{"format-version": 2}`

// bucket is an object store for these tests: one for all buckets, which remembers the properties it was opened with.
var bucket = struct {
	*iceio.MemFS
	sync.Mutex
	opened []string
}{MemFS: iceio.NewMemFS()}

func TestMain(m *testing.M) {
	iceio.Register("bucket", func(_ context.Context, root *url.URL, properties map[string]string) (iceio.IO, error) {
		bucket.Lock()
		defer bucket.Unlock()
		bucket.opened = append(bucket.opened, root.Host+" "+properties["s3.endpoint"])
		return bucket.MemFS, nil
	})
	os.Exit(m.Run())
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReadByAnySpellingOfALocation(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	folder := t.TempDir()
	for _, name := range []string{"plain", "with space", "per%20cent", "a+b", "uml\u00e4ut", "que?ry#frag"} {
		path := filepath.Join(folder, name)
		put(t, path, []byte(text))
		for _, location := range []string{path, "file:" + path, "file://" + path, "FILE:" + path, "file://localhost" + path} {
			got, err := store.Read(t.Context(), location)
			if err != nil || string(got) != text {
				t.Errorf("%s: %s, %v", location, got, err)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	folder := t.TempDir()
	put(t, filepath.Join(folder, "broken.gz"), []byte{0x1f, 0x8b, 1, 2})
	put(t, filepath.Join(folder, "broken.zstd"), []byte{0x28, 0xb5, 0x2f, 0xfd, 9})
	for location, c := range map[string]struct {
		kind fault.Kind
		text string
	}{
		"file:" + folder + "/none":         {fault.NotFound, "Failed to open input stream for file: file:" + folder + "/none"},
		folder + "/broken.gz/under-a-file": {fault.NotFound, "Failed to open input stream for file: " + folder + "/broken.gz/under-a-file"},
		folder:                             {fault.Invalid, "it is a directory"},
		folder + "/broken.gz":              {fault.Invalid, "unreadable: gzip"},
		folder + "/broken.zstd":            {fault.Invalid, "unreadable: zstd"},
		"":                                 {fault.Invalid, "is no absolute path"},
		"relative/path":                    {fault.Invalid, "is no absolute path"},
		"file:relative":                    {fault.Invalid, "is no absolute path"},
		"file://elsewhere/x":               {fault.Invalid, "is no absolute path"},
		"/zero\x00byte":                    {fault.Invalid, "zero byte"},
		"gopher://b/x":                     {fault.Invalid, "no file IO for gopher://b"},
		"s3:///x":                          {fault.Invalid, "names no bucket"},
		"s3:x":                             {fault.Invalid, "is no absolute URI"},
		"mem://b/x":                        {fault.Invalid, "would not be kept"},
		"bucket://b/none":                  {fault.NotFound, "Failed to open input stream for file: bucket://b/none"},
	} {
		_, err := store.Read(t.Context(), location)
		if !fault.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: %v", location, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Read(ended, folder); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

func TestReadDecompresses(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	path := filepath.Join(t.TempDir(), "any-name")
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	if _, err := zip.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"gzip": zipped.Bytes(), "zstd": encoder.EncodeAll([]byte(text), nil), "none": []byte(text)} {
		put(t, path, content)
		if got, err := store.Read(t.Context(), path); err != nil || string(got) != text {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestWriteThenRead(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	folder := t.TempDir()
	for _, location := range []string{
		"file:" + folder + "/new/folder/00000-a.metadata.json", folder + "/00000-b.gz.metadata.json",
		folder + "/c.metadata.json.gz", "bucket://b/t/00000-d.metadata.json", "bucket://b/t/00000-e.gz.metadata.json",
	} {
		if err := store.Write(t.Context(), location, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := store.Read(t.Context(), location); err != nil || string(got) != text {
			t.Errorf("%s: %s, %v", location, got, err)
		}
		// A file is never replaced.
		if err := store.Write(t.Context(), location, []byte(`{}`)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: written twice: %v", location, err)
		}
		if got, err := store.Read(t.Context(), location); err != nil || string(got) != text {
			t.Errorf("%s: %s, %v", location, got, err)
		}
	}
	raw, err := os.ReadFile(folder + "/00000-b.gz.metadata.json")
	if err != nil || !bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
		t.Errorf("a gz file must be gzipped: %v", err)
	}
	entries, err := os.ReadDir(folder + "/new/folder")
	if err != nil || len(entries) != 1 {
		t.Errorf("temporary files are left: %v, %v", entries, err)
	}
	info, err := os.Stat(folder + "/new/folder/00000-a.metadata.json")
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("engines run as other users: %v, %v", info.Mode(), err)
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	for _, location := range []string{"", "relative", "mem://b/x", "gopher://b/x"} {
		if err := store.Write(t.Context(), location, nil); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", location, err)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	put(t, path, nil)
	if err := store.Write(t.Context(), path+"/under", nil); err == nil || fault.Is(err, fault.Invalid) {
		t.Errorf("a full disk or a missing right is not the client's fault: %v", err)
	}
}

func TestConcurrentWritesOfOneFile(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	path := filepath.Join(t.TempDir(), "x.metadata.json")
	results := make(chan error)
	for i := range 16 {
		go func() { results <- store.Write(t.Context(), path, bytes.Repeat([]byte{'a' + byte(i)}, 1000)) }()
	}
	won := 0
	for range 16 {
		switch err := <-results; {
		case err == nil:
			won++
		case !errors.Is(err, fs.ErrExist):
			t.Error(err)
		}
	}
	got, err := store.Read(t.Context(), path)
	if won != 1 || err != nil || len(bytes.Trim(got, string(got[:1]))) != 0 {
		t.Errorf("%d writers won, and the file holds %s, %v", won, got, err)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	folder := t.TempDir()
	put(t, folder+"/a", nil)
	put(t, folder+"/full/b", nil)
	if err := store.Write(t.Context(), "bucket://d/x", nil); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), "file:"+folder+"/a", folder+"/none", "bucket://d/x", "bucket://d/none"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder + "/a"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a is still there")
	}
	put(t, folder+"/c", nil)
	if err := os.Mkdir(folder+"/empty", 0o755); err != nil {
		t.Fatal(err)
	}
	err := store.Delete(t.Context(), folder+"/empty", "relative", folder+"/c")
	if err == nil || !strings.Contains(err.Error(), "/empty") || !strings.Contains(err.Error(), "relative") {
		t.Errorf("all failures must be told: %v", err)
	}
	if _, err := os.Stat(folder + "/empty"); err != nil {
		t.Error("a folder must never be deleted")
	}
	if _, err := os.Stat(folder + "/c"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a failure must not stop the rest")
	}
	if err := store.Delete(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRemoteIsOpenedOncePerBucket(t *testing.T) {
	t.Parallel()
	store := files.NewStore(map[string]string{"s3.endpoint": "http://localhost:9"})
	for _, location := range []string{"bucket://once/a", "bucket://once/b", "bucket://twice/a"} {
		if err := store.Write(t.Context(), location, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	bucket.Lock()
	defer bucket.Unlock()
	count := map[string]int{}
	for _, opened := range bucket.opened {
		count[opened]++
	}
	if count["once http://localhost:9"] != 1 || count["twice http://localhost:9"] != 1 {
		t.Errorf("opened %v", count)
	}
}

func TestIO(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	folder := t.TempDir()
	put(t, folder+"/a", []byte(text))
	if err := store.Write(t.Context(), "bucket://io/a", []byte(text)); err != nil {
		t.Fatal(err)
	}
	all := store.IO(t.Context())
	for _, location := range []string{"file:" + folder + "/a", "bucket://io/a"} {
		file, err := all.Open(location)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if err := all.Remove(location); err != nil {
			t.Error(err)
		}
		if _, err := all.Open(location); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", location, err)
		}
	}
	if _, err := all.Open("relative"); !errors.Is(err, files.ErrLocation) || !fault.Is(err, fault.Invalid) {
		t.Errorf("got %v", err)
	}
	var path *fs.PathError
	if err := all.Remove("relative"); !errors.As(err, &path) {
		t.Errorf("got %v", err)
	}
}

func TestNextName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ base, properties, previous, want string }{
		{"file:/t", `{}`, "", "file:/t/metadata/00000-u.metadata.json"},
		{"file:/t/", `{}`, "file:/t/metadata/00009-v.metadata.json", "file:/t/metadata/00010-u.metadata.json"},
		{"s3://b", `{"write.metadata.path":"s3://m/"}`, "x", "s3://m/00000-u.metadata.json"},
		{"s3://", `{"write.metadata.compression-codec":"Gzip"}`, "-1-x", "s3:///metadata/00000-u.gz.metadata.json"},
		{"/t", `{}`, "9999999999-x", "/t/metadata/00000-u.metadata.json"},
	} {
		properties, err := rawjson.Parse([]byte(c.properties))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := files.NextName(c.base, properties, c.previous, "u"); err != nil || got != c.want {
			t.Errorf("%v: %s, %v", c, got, err)
		}
	}
}

// Stat finds what Read would find, with the same errors, and tells files apart.
func TestStat(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	folder := t.TempDir()
	put(t, folder+"/a", []byte(text))
	if err := store.Write(t.Context(), "bucket://b/stat", []byte(text)); err != nil {
		t.Fatal(err)
	}
	for _, location := range []string{folder + "/a", "file://" + folder + "/a", "bucket://b/stat"} {
		one, err := store.Stat(t.Context(), location)
		if err != nil {
			t.Fatal(err)
		}
		if two, err := store.Stat(t.Context(), location); err != nil || one != two {
			t.Errorf("%s: %v, then %v, %v", location, one, two, err)
		}
	}
	before, err := store.Stat(t.Context(), folder+"/a")
	if err != nil {
		t.Fatal(err)
	}
	put(t, folder+"/a", []byte(text+" "))
	if after, err := store.Stat(t.Context(), folder+"/a"); err != nil || before == after {
		t.Errorf("another file has the stamp %v too, %v", after, err)
	}
	for _, location := range []string{
		folder + "/none", folder + "/a/under-a-file", folder, "relative", "gopher://b/x", "bucket://b/none",
	} {
		_, want := store.Read(t.Context(), location)
		if _, got := store.Stat(t.Context(), location); got == nil || want == nil || got.Error() != want.Error() {
			t.Errorf("%s: %v, and reading it: %v", location, got, want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Stat(ended, folder+"/a"); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// statBucket is an object store that can be asked for an object's head.
type statBucket struct {
	iceio.IO
	heads, opens int
}

func (b *statBucket) Open(name string) (iceio.File, error) {
	b.opens++
	return b.IO.Open(name)
}

func (b *statBucket) Stat(name string) (fs.FileInfo, error) {
	b.heads++
	file, err := b.IO.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Stat()
}

// An object is not read to see that it is there.
func TestStatReadsNothing(t *testing.T) {
	t.Parallel()
	counting := &statBucket{IO: bucket.MemFS}
	iceio.Register("counting", func(context.Context, *url.URL, map[string]string) (iceio.IO, error) { return counting, nil })
	store := files.NewStore(nil)
	if _, err := store.Stat(t.Context(), "counting://b/none"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if counting.heads != 1 || counting.opens != 0 {
		t.Errorf("%d heads and %d bodies were asked for", counting.heads, counting.opens)
	}
}
