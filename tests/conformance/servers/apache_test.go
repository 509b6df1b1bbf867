//go:build interop

package servers

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/apache"
	"github.com/onceberg/onceberg/internal/testproc"
	"github.com/onceberg/onceberg/tests/conformance"
)

var out = flag.String("out", "../../../bin", "folder for the report on Apache's server")

// known are the cases that Apache's server fails, as OPERATION/CASE, and why. It
// is the fixture of Apache's own tests and promises nobody anything; it is here as
// a server of somebody else's making, not as one to follow.
var known = map[string]string{
	"server/lifetime":   "it honours keys and does not say for how long",
	"*/other-operation": "its records go by the text of the header alone",
	"*/other-resource":  "its records go by the text of the header alone",
	"*/other-body":      "its records go by the text of the header alone",
	"*/malformed":       "it takes any text for a key",
	"*/letter-case":     "it compares keys as text",
	"*/etag":            "its replays have no ETag",
	"planTableScan/*":   "it ignores keys there",
	"fetchScanTasks/*":  "it ignores keys there",
	"registerView/*":    "it ignores keys there",
}

// unserved is an operation that the server has no route for.
const unserved = "unregisterTable"

// TestApache plays the kit against Apache's server, shows what the kit says, and
// holds it to what is known of that server.
func TestApache(t *testing.T) {
	server := startApache(t, 30*time.Second)
	report := conform(t, server.URL())
	gone := map[string]bool{}
	for pattern := range known {
		gone[pattern] = true
	}
	for _, r := range report.Results {
		name := r.Operation + "/" + r.Case
		pattern := knownAs(name)
		switch {
		case r.Verdict == conformance.Fail && pattern == "":
			t.Errorf("not known to fail: %s", describe(r))
		case r.Verdict == conformance.Fail:
			delete(gone, pattern)
		case r.Verdict == conformance.Unclear && r.Operation != unserved:
			t.Errorf("%s", describe(r))
		}
	}
	for pattern := range gone {
		t.Errorf("%s is listed as failing and passes", pattern)
	}
	if n := report.Count(conformance.Pass); n < 100 {
		t.Errorf("%d cases passed where 100 are known to", n)
	}
}

// knownAs returns the pattern that a failure is known by.
func knownAs(name string) string {
	for pattern := range known {
		if matched, _ := path.Match(pattern, name); matched {
			return pattern
		}
	}
	return ""
}

var buildKit = testproc.Program("conform")

// conform runs the kit as people do, with its report on the screen and in files.
func conform(t *testing.T, url string) *conformance.Report {
	t.Helper()
	program, err := buildKit()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(*out, "conform-java.json")
	cmd := exec.CommandContext(t.Context(), program, "--all", "--json", file, "--html", filepath.Join(*out, "conform-java.html"), url)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	_ = cmd.Run() // the exit code says that the server fails; the report says at what
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var report conformance.Report
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	return &report
}

// classPath fetches and compiles what Apache's server needs, once for all tests.
var classPath = sync.OnceValues(func() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return "", err
	}
	return apache.ClassPath(ctx, "../../interop/java", filepath.Join(*out, "maven.log"))
})

// startApache starts the server until the test ends.
func startApache(t *testing.T, patience time.Duration) apache.Server {
	t.Helper()
	java, err := classPath()
	if err != nil {
		t.Fatal(err)
	}
	port, err := apache.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	s := apache.Server{
		ClassPath: java, Port: port, Patience: patience, Temp: t.TempDir(),
		Database: filepath.Join(t.TempDir(), "catalog.db"), Warehouse: t.TempDir(),
	}
	cmd := exec.Command(s.Args()[0], s.Args()[1:]...)
	cmd.Env = s.Environ()
	var log testproc.Log
	process, err := testproc.Start(cmd, &log, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := process.Kill(); err != nil {
			t.Error(err)
		}
	})
	deadline := time.After(startTimeout)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !s.Answers() {
		select {
		case <-process.Done():
			t.Fatal(process.End())
		case <-deadline:
			t.Fatalf("Apache's server does not come up; it logged:\n%s", lastOf(log.String()))
		case <-tick.C:
		}
	}
	return s
}
