package upstream_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/internal/upstream"
)

// These tests change the environment and the working folder, so they do not run
// in parallel.

func TestSpecReadsFromTheNamedFolder(t *testing.T) {
	dir := t.TempDir()
	want := []byte("openapi: 3.1.1\n")
	if err := os.WriteFile(filepath.Join(dir, "some.yaml"), want, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ONCEBERG_SPEC_DIR", dir)
	if got := upstream.Spec(t, "some.yaml"); !bytes.Equal(got, want) {
		t.Errorf("Spec = %q, want %q", got, want)
	}
}

func TestSpecReadsBesideTheProjectFromANestedModule(t *testing.T) {
	root := t.TempDir()
	nested := filepath.Join(root, "onceberg", "tests", "team")
	for path, content := range map[string]string{
		filepath.Join(root, "onceberg", "go.mod"):          "module github.com/onceberg/onceberg\n",
		filepath.Join(nested, "go.mod"):                    "module github.com/onceberg/onceberg/tests/team\n",
		filepath.Join(root, "shared", "spec", "some.yaml"): "right",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("ONCEBERG_SPEC_DIR", "")
	t.Chdir(nested)
	if got := upstream.Spec(t, "some.yaml"); string(got) != "right" {
		t.Errorf("Spec = %q, want the file beside the outer module", got)
	}
}

func TestSpecWithoutCopies(t *testing.T) {
	for _, c := range []struct {
		name, dir, ci string
		wantFatal     bool
	}{
		{name: "says what was not checked", wantFatal: false},
		{name: "fails on a build server", ci: "true", wantFatal: true},
		{name: "fails when the named folder lacks the file", dir: "here", wantFatal: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := c.dir
			if dir != "" {
				dir = t.TempDir()
			}
			t.Setenv("ONCEBERG_SPEC_DIR", dir)
			t.Setenv("CI", c.ci)
			got, tb := call(t, "no-such-file.yaml")
			if got != nil {
				t.Errorf("Spec = %q, want nil", got)
			}
			if tb.fatal != c.wantFatal {
				t.Errorf("failed the test: %v, want %v (log: %s)", tb.fatal, c.wantFatal, tb.log.String())
			}
			if !c.wantFatal && !strings.Contains(tb.log.String(), "NOT CHECKED on no-such-file.yaml") {
				t.Errorf("log %q does not say what was not checked", tb.log.String())
			}
		})
	}
}

// recorder stands in for the test that calls Spec, so that its failure can be seen.
type recorder struct {
	testing.TB
	log   strings.Builder
	fatal bool
}

func (r *recorder) Helper()                    {}
func (r *recorder) Logf(f string, args ...any) { fmt.Fprintf(&r.log, f, args...) }
func (r *recorder) Fatalf(f string, args ...any) {
	r.Logf(f, args...)
	r.fatal = true
	runtime.Goexit()
}

// call runs Spec in a goroutine of its own, which Fatalf may end.
func call(t *testing.T, name string) (content []byte, tb *recorder) {
	tb = &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		content = upstream.Spec(tb, name)
	}()
	<-done
	return content, tb
}
