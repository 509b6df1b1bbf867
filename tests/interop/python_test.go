//go:build interop

package interop

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/onceberg/onceberg/tests/interop/report"
)

// preparePython makes an environment with what requirements.txt names, and
// returns its interpreter. It lies in the user's cache folder under a name that
// the requirements give it, so that later runs find it.
var preparePython = sync.OnceValues(func() (string, error) {
	requirements, err := filepath.Abs("python/requirements.txt")
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(requirements)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	home := filepath.Join(cache, "onceberg", fmt.Sprintf("interop-python-%x", sha256.Sum256(text))[:32])
	python := filepath.Join(home, "bin", "python")
	if _, err := os.Stat(python); err == nil {
		return python, nil
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return "", err
	}
	return python, install(home, requirements)
})

// install fills a folder beside home and renames it when it is complete.
func install(home, requirements string) error {
	ctx, cancel := context.WithTimeout(context.Background(), prepareTimeout)
	defer cancel()
	draft, err := os.MkdirTemp(filepath.Dir(home), "draft-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(draft)
	log := filepath.Join(*out, "python.log")
	if err := finish(command(ctx, draft, "python3", "-m", "venv", draft), log); err != nil {
		return fmt.Errorf("a Python environment (python3 with venv is needed): %w", err)
	}
	pip := command(ctx, draft, filepath.Join(draft, "bin", "python"), "-m", "pip", "install", "-q", "-r", requirements)
	if err := finish(pip, log); err != nil {
		return fmt.Errorf("pip: %w", err)
	}
	return os.Rename(draft, home)
}

// pyiceberg runs those of the Python tests that the argument is for.
func pyiceberg(which string) func(context.Context, *testing.T, run) ([]report.Test, error) {
	return func(ctx context.Context, _ *testing.T, r run) ([]report.Test, error) {
		python, err := preparePython()
		if err != nil {
			return nil, err
		}
		file := filepath.Join(r.dir, "pytest.xml")
		cmd := command(ctx, "python", python, "-m", "pytest", "-v", "--tb=short", "-p", "no:cacheprovider", "--junitxml="+file, which)
		cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1",
			"ONCEBERG_TEST_URL="+r.server.url, "ONCEBERG_TEST_WAREHOUSE="+warehouse)
		cmd.Env = append(cmd.Env, r.env...)
		return readJUnit(file, finish(cmd, filepath.Join(r.dir, "output.log")))
	}
}
