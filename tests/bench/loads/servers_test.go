//go:build interop

package loads

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/apache"
	"github.com/onceberg/onceberg/internal/testproc"
)

// root is the folder of the module, as seen from this package.
const root = "../../.."

// startTimeout bounds how long a server takes to answer.
const startTimeout = time.Minute

var buildServer = testproc.Program("server")

// startOurs runs cmd/server on a SQLite file, and returns its URL.
func startOurs(b *testing.B) string {
	b.Helper()
	binary, err := buildServer()
	if err != nil {
		b.Fatal(err)
	}
	s := apache.Server{Port: freePort(b)} // for where it is; the program is ours
	cmd := exec.Command(binary, "serve", "--listen", s.URL()[len("http://"):],
		"--data-folder", b.TempDir(), "--catalog.warehouse", "file://"+b.TempDir(),
		// The table is registered from a file that both servers read.
		"--catalog.locations", "*", "--log.level", "warn")
	start(b, cmd, s)
	return s.URL()
}

// startTheirs runs Apache's server on a SQLite file, and returns its URL.
func startTheirs(b *testing.B) string {
	b.Helper()
	classPath, err := apache.ClassPath(b.Context(), filepath.Join(root, "tests/interop/java"), filepath.Join(b.TempDir(), "maven.log"))
	if err != nil {
		b.Fatal(err)
	}
	s := apache.Server{
		ClassPath: classPath, Port: freePort(b), Temp: b.TempDir(),
		Database: filepath.Join(b.TempDir(), "catalog.db"), Warehouse: b.TempDir(),
	}
	cmd := exec.Command(s.Args()[0], s.Args()[1:]...)
	cmd.Env = s.Environ()
	start(b, cmd, s)
	return s.URL()
}

func freePort(b *testing.B) int {
	b.Helper()
	port, err := apache.FreePort()
	if err != nil {
		b.Fatal(err)
	}
	return port
}

// start runs a server until the benchmark ends, and waits until it answers.
func start(b *testing.B, cmd *exec.Cmd, s apache.Server) {
	b.Helper()
	var log testproc.Log
	p, err := testproc.Start(cmd, &log, func(string) {})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := p.Kill(); err != nil {
			b.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(b.Context(), startTimeout)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !s.Answers() {
		select {
		case <-tick.C:
		case <-p.Done():
			b.Fatal(p.End())
		case <-ctx.Done():
			b.Fatalf("%s does not answer:\n%s", cmd.Path, log.String())
		}
	}
}

// write puts text into a file that both servers can read.
func write(b *testing.B, text []byte) (location string) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "00000-0b1a2c3d-4e5f-4789-abcd-ef0123456789.metadata.json")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		b.Fatal(err)
	}
	return "file://" + path
}

// newTransport keeps as many connections as there are clients. Bodies come as they
// are: Apache's server would compress them for whoever asks, and ours would not.
func newTransport() *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: clients[len(clients)-1], DisableCompression: true}
}
