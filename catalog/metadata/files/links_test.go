package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/files"
)

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

// It counts where a name leads, and not what it looks like.
func TestConfineFollowsLinks(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	in := func(names ...string) string { return filepath.Join(append([]string{home}, names...)...) }
	for _, folder := range []string{"real/w/t", "more", "outside"} {
		if err := os.MkdirAll(in(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, in("outside", "f"), []byte(text))
	put(t, in("real", "w", "t", "f"), []byte(text))
	link(t, in("real"), in("alias"))
	link(t, in("outside"), in("real/w/out"))
	link(t, "../../outside/f", in("real/w/file-out"))
	link(t, in("more"), in("real/w/more"))
	link(t, "t", in("real/w/t2"))
	link(t, in("outside/later"), in("real/w/dangling"))
	link(t, "loop", in("real/w/loop"))
	store := files.NewStore(nil)
	if err := store.Confine(in("alias", "w"), in("more"), "s3://bucket/w"); err != nil {
		t.Fatal(err)
	}
	for name, inside := range map[string]bool{
		"": true, "t/f": true, "t2/f": true, "t/f/under-a-file": true, "new/folder/f": true, "more/new/f": true,
		"out": false, "out/f": false, "out/new/f": false, "file-out": false, "dangling": false, "dangling/f": false,
	} {
		for _, location := range []string{in("alias/w", name), "file:" + in("alias/w", name)} {
			if err := store.Check(location); (err == nil) != inside || err != nil && !errors.Is(err, files.ErrOutside) {
				t.Errorf("%s: %v", location, err)
			}
		}
	}
	if _, err := store.Read(t.Context(), in("alias/w/loop/f")); err == nil {
		t.Error("a loop is read")
	}
	if err := store.Write(t.Context(), in("alias/w/out/new/f"), nil); !errors.Is(err, files.ErrOutside) {
		t.Errorf("written: %v", err)
	}
	if err := store.Delete(t.Context(), in("alias/w/out/f"), in("alias/w/t2/f")); !errors.Is(err, files.ErrOutside) {
		t.Errorf("deleted: %v", err)
	}
	if _, err := os.Stat(in("outside", "f")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(in("real/w/t/f")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is inside is still there: %v", err)
	}
}

// A disk would follow such segments, and an object store keep them.
func TestDotsAreRefused(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	put(t, filepath.Join(home, "f"), []byte(text))
	confined := files.NewStore(nil)
	if err := confined.Confine(home, "bucket://b"); err != nil {
		t.Fatal(err)
	}
	for _, store := range []*files.Store{confined, files.NewStore(nil)} {
		for _, location := range []string{home + "/./f", "file:" + home + "/../" + filepath.Base(home) + "/f", "bucket://b/a/../f", "bucket://b/./f", "bucket://b/.."} {
			_, err := store.Read(t.Context(), location)
			for what, err := range map[string]error{
				"check": store.Check(location), "read": err, "write": store.Write(t.Context(), location, nil), "delete": store.Delete(t.Context(), location),
			} {
				if !errors.Is(err, files.ErrLocation) || errors.Is(err, files.ErrOutside) {
					t.Errorf("%s %s: %v", what, location, err)
				}
			}
		}
		if _, err := store.Read(t.Context(), home+"/f"); err != nil {
			t.Error(err)
		}
	}
}
