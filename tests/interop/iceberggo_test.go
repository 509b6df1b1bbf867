//go:build interop

package interop

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/onceberg/onceberg/tests/interop/report"
)

// icebergGo runs those tests of package gocatalog that the flag is for.
func icebergGo(which string) func(context.Context, *testing.T, run) ([]report.Test, error) {
	return func(ctx context.Context, _ *testing.T, r run) ([]report.Test, error) {
		output := filepath.Join(r.dir, "output.log")
		cmd := command(ctx, root, "go", "test", "-tags", "interop", "-count=1", "-json", which, "./tests/interop/gocatalog")
		var said bytes.Buffer
		cmd.Stderr = &said
		cmd.Env = append(os.Environ(), "ONCEBERG_TEST_URL="+r.server.url, "ONCEBERG_TEST_WAREHOUSE="+warehouse,
			"ONCEBERG_TEST_ADVERTISE="+r.subject.advertise)
		cmd.Env = append(cmd.Env, r.env...)
		ended := finish(cmd, output)
		f, err := os.Open(output)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		tests, err := report.GoTest(f)
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, said.String())
		}
		return tests, unexplained(tests, ended)
	}
}
