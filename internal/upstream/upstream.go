package upstream

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Files lists the copies that tests can count on, newest first.
var Files = []string{
	"iceberg-main-2026-08-21.yaml",
	"iceberg-1.11.0.yaml",
	"iceberg-1.6.1.yaml",
}

// dirVariable names the folder of the copies when they are not beside the project.
const dirVariable = "ONCEBERG_SPEC_DIR"

// Spec returns the bytes of the named copy. It returns nil, after logging what was
// not checked, when the copies are not at hand and CI is not set; the test then
// returns early. With CI set, or when ONCEBERG_SPEC_DIR names a folder without the
// file, it fails the test.
func Spec(t testing.TB, name string) []byte {
	t.Helper()
	if dir := os.Getenv(dirVariable); dir != "" {
		return read(t, filepath.Join(dir, name))
	}
	path := filepath.Join(moduleRoot(t), "..", "shared", "spec", name)
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") == "" {
		t.Logf("NOT CHECKED on %s: set %s to the folder that holds it", name, dirVariable)
		return nil
	}
	return read(t, path)
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("an upstream specification is needed here (%s names its folder): %v", dirVariable, err)
	}
	return content
}

var thisModule = regexp.MustCompile(`(?m)^module github\.com/onceberg/onceberg\s*$`)

// moduleRoot looks upwards from the working folder, which is that of the tested
// package. Modules nested in this one are passed by.
func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && thisModule.Match(goMod) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("the module's root folder was not found above the working folder")
		}
		dir = parent
	}
}
