package servers

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testproc"
)

// startTimeout bounds the start of a server, on a busy machine.
const startTimeout = 90 * time.Second

// The bearer tokens of two principals.
const (
	token      = "token-of-alice"
	otherToken = "token-of-bob"
)

// migrate brings the tables of a form up to date.
func migrate(t *testing.T, binary string, settings []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	output, err := exec.CommandContext(ctx, binary, append([]string{"migrate"}, settings...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("server migrate: %v\n%s", err, output)
	}
}

// startNode starts a server that is killed when the test ends, and returns its
// URL.
func startNode(t *testing.T, binary string, settings []string) string {
	t.Helper()
	listening := make(chan string, 1)
	var log testproc.Log
	cmd := exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0"}, settings...)...)
	process, err := testproc.Start(cmd, &log, func(line string) {
		if _, url, found := strings.Cut(line, "listening on "); found {
			listening <- url
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := process.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("a server logged:\n%s", lastOf(log.String()))
		}
	})
	select {
	case url := <-listening:
		return url
	case <-process.Done():
		t.Fatal(process.End())
	case <-time.After(startTimeout):
		t.Fatalf("the server does not come up; it logged:\n%s", log.String())
	}
	return ""
}

// maxLog is how much of a log a failed test shows.
const maxLog = 8 << 10

func lastOf(text string) string { return text[max(0, len(text)-maxLog):] }

// tokensFile writes the file that tells the server whose the tokens are.
func tokensFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens")
	lines := fmt.Sprintf("%x alice\n%x bob\n", sha256.Sum256([]byte(token)), sha256.Sum256([]byte(otherToken)))
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
