package servers

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

// programs is the folder of what the tests build.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "onceberg-conform-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(testdb.Main(m), goleak.Cleanup(func(code int) {
		os.RemoveAll(programs)
		os.Exit(code)
	}))
}

// buildServer builds our server, once for all tests.
var buildServer = sync.OnceValues(func() (string, error) { return build("server") })

// build builds one of our commands and returns its path.
func build(command string) (string, error) {
	program := filepath.Join(programs, command)
	output, err := exec.Command("go", "build", "-o", program, "github.com/onceberg/onceberg/cmd/"+command).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build cmd/%s: %w\n%s", command, err, output)
	}
	return program, nil
}
