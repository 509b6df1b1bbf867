//go:build interop

package interop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	apacheserver "github.com/onceberg/onceberg/internal/apache"
	"github.com/onceberg/onceberg/tests/interop/report"
)

// prepareTimeout bounds what the first run fetches.
const prepareTimeout = 15 * time.Minute

// prepareJava compiles the Java project, once for all tests, and returns the
// class path to run it with.
var prepareJava = sync.OnceValues(func() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), prepareTimeout)
	defer cancel()
	return apacheserver.ClassPath(ctx, "java", filepath.Join(*out, "maven.log"))
})

// kit runs a class of Apache's kit, or some tests of it.
func kit(class string, methods ...string) func(context.Context, *testing.T, run) ([]report.Test, error) {
	return func(ctx context.Context, t *testing.T, r run) ([]report.Test, error) {
		return junit(ctx, t, r, map[string]string{
			"rck.local":                     "false",
			"rck.requires-namespace-create": "true",
			"rck.supports-names-with-dot":   strconv.FormatBool(r.subject.dots),
			// The kit of 1.11.0 has no test of it yet.
			"rck.supports-variant": "true",
		}, selectors(class, methods)...)
	}
}

// selectors name a class, or methods of it, as the launcher wants it.
func selectors(class string, methods []string) []string {
	if len(methods) == 0 {
		return []string{"--select-class=" + class}
	}
	selected := make([]string, len(methods))
	for i, method := range methods {
		selected[i] = "--select-method=" + class + "#" + method
	}
	return selected
}

// stories runs classes of our stories with Apache's client.
func stories(classes ...string) func(context.Context, *testing.T, run) ([]report.Test, error) {
	return func(ctx context.Context, t *testing.T, r run) ([]report.Test, error) {
		properties := map[string]string{
			"interop.advertise":   r.subject.advertise,
			"interop.in-progress": r.subject.inProgress,
		}
		if r.server.hold != nil {
			properties["interop.hold"] = (&lever{hold: r.server.hold}).serve(t)
		}
		var selected []string
		for _, class := range classes {
			selected = append(selected, selectors(ours+class, nil)...)
		}
		return junit(ctx, t, r, properties, selected...)
	}
}

// junit runs the selected tests against a server, with system properties.
func junit(ctx context.Context, t *testing.T, r run, properties map[string]string, selectors ...string) ([]report.Test, error) {
	classPath, err := prepareJava()
	if err != nil {
		return nil, err
	}
	// A run of seconds ends before the better compiler pays for itself. The kit takes
	// every system property for one of its client.
	args := []string{"-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + t.TempDir(), "-Duri=" + r.server.url, "-Dwarehouse=" + warehouse}
	for name, value := range properties {
		if value != "" {
			args = append(args, "-D"+name+"="+value)
		}
	}
	args = append(args, "-cp", classPath, "org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner",
		"--disable-ansi-colors", "--details=tree", "--details-theme=ascii", "--fail-if-no-tests", "--reports-dir="+r.dir)
	args = append(args, selectors...)
	ended := finish(command(ctx, r.dir, "java", args...), filepath.Join(r.dir, "output.log"))
	return readJUnit(filepath.Join(r.dir, "TEST-junit-jupiter.xml"), ended)
}

// readJUnit reads the report that a command left. A command that failed without
// a failing test in its report did something that the report does not tell.
func readJUnit(file string, ended error) ([]report.Test, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("no report: %w", firstError(ended, err))
	}
	defer f.Close()
	tests, err := report.JUnit(f)
	if err != nil {
		return nil, firstError(err, ended)
	}
	return tests, unexplained(tests, ended)
}

func unexplained(tests []report.Test, ended error) error {
	if ended == nil || (report.Suite{Tests: tests}).Count(report.Failed) > 0 {
		return nil
	}
	return ended
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
