package chaos

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testdb"
)

// serverBinary is cmd/server with a clock that can be moved.
var serverBinary string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "onceberg-chaos-")
	if err == nil {
		serverBinary = filepath.Join(folder, "server")
		var out []byte
		if out, err = exec.Command("go", "build", "-tags", "chaos", "-o", serverBinary, "../../cmd/server").CombinedOutput(); err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "building the server:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(testdb.Main(m), goleak.Cleanup(func(code int) {
		os.RemoveAll(folder)
		os.Exit(code)
	}))
}
