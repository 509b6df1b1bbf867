package chaos

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testdb"
)

// folder is where the server is built, for those tests that want one.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "onceberg-chaos-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(testdb.Main(m), goleak.Cleanup(func(code int) {
		os.RemoveAll(folder)
		os.Exit(code)
	}))
}

// build builds cmd/server, with a clock that can be moved.
var build = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(folder, "server")
	out, err := exec.Command("go", "build", "-tags", "chaos", "-o", binary, "../../cmd/server").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the server: %w\n%s", err, out)
	}
	return binary, nil
})
