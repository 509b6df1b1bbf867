package servers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testdb"
)

// binary is our server, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "onceberg-conform-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(folder, "server")
	build := exec.Command("go", "build", "-o", binary, "github.com/onceberg/onceberg/cmd/server")
	if output, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build cmd/server: %v\n%s", err, output)
		os.Exit(1)
	}
	goleak.VerifyTestMain(testdb.Main(m), goleak.Cleanup(func(code int) {
		os.RemoveAll(folder)
		os.Exit(code)
	}))
}
