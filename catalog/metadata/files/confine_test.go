package files_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/files"
)

func TestConfine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		allowed, location string
		inside            bool
	}{
		{"/w", "/w/t/metadata.json", true},
		{"/w", "/w", true},
		{"/w/", "file:///w/t", true},
		{"file:/w", "/w//t//x", true},
		{"/w", "/wider/t", false},
		{"/w", "/", false},
		{"/", "/anything", true},
		{"/w", "s3://w/t", false},
		{"s3://bucket/a", "s3://bucket/a/t", true},
		{"s3://bucket/a/", "s3a://bucket/a/t", true},
		{"S3://bucket/a", "s3://bucket/a/t", true},
		{"s3://bucket", "s3://bucket/t", true},
		{"s3://bucket/a", "s3://bucket/ab/t", false},
		{"s3://bucket/a", "s3://other/a/t", false},
		{"s3://bucket/a", "gs://bucket/a/t", false},
		{"s3://bucket/a", "/bucket/a/t", false},
		{files.Anywhere, "/etc/passwd", true},
	} {
		store := files.NewStore(nil)
		if err := store.Confine(c.allowed); err != nil {
			t.Errorf("%s: %v", c.allowed, err)
			continue
		}
		if err := store.Check(c.location); (err == nil) != c.inside || err != nil && !errors.Is(err, files.ErrOutside) {
			t.Errorf("%s in %s: %v", c.location, c.allowed, err)
		}
	}
	for _, bad := range []string{"relative", "", "s3:bucket", "/w/../x", "mem://x/y"} {
		if err := files.NewStore(nil).Confine(bad); err == nil {
			t.Errorf("%q is taken for a location", bad)
		}
	}
}

// All that touches a file asks first.
func TestConfinedStore(t *testing.T) {
	t.Parallel()
	inside, outside := t.TempDir(), filepath.Join(t.TempDir(), "f")
	put(t, outside, []byte(text))
	store := files.NewStore(nil)
	if err := store.Confine(inside); err != nil {
		t.Fatal(err)
	}
	_, readErr := store.Read(t.Context(), outside)
	_, statErr := store.Stat(t.Context(), outside)
	writeErr := store.Write(t.Context(), outside+"2", []byte(text))
	for what, err := range map[string]error{"read": readErr, "stat": statErr, "write": writeErr} {
		if !fault.Is(err, fault.Invalid) || !errors.Is(err, files.ErrOutside) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, openErr := store.IO(t.Context()).Open(outside)
	for what, err := range map[string]error{
		"delete": store.Delete(t.Context(), outside), "open": openErr, "remove": store.IO(t.Context()).Remove(outside),
	} {
		if !errors.Is(err, files.ErrOutside) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A pipe would be waited for, and a device be read without end.
func TestReadOpensFilesOnly(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	store := files.NewStore(nil)
	for _, location := range []string{pipe, "/dev/zero"} {
		if _, err := store.Read(t.Context(), location); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", location, err)
		}
		if _, err := store.IO(t.Context()).Open(location); err == nil {
			t.Errorf("%s is opened", location)
		}
	}
}
