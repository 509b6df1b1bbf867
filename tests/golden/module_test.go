package golden

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/onceberg/onceberg/generator"

	// Generated code calls the runtime. The import makes the test's result
	// depend on it, so that a cached pass is not taken for a new one.
	_ "github.com/onceberg/onceberg/runtime"
)

// moduleName is the path of the temporary module.
const moduleName = "golden.test"

// module is a temporary Go module that uses this checkout of onceberg.
type module struct{ dir string }

var moduleLine = regexp.MustCompile(`(?m)^module .*$`)

func newModule(t testing.TB) *module {
	t.Helper()
	root := projectRoot(t)
	goMod := moduleLine.ReplaceAll(read(t, filepath.Join(root, "go.mod")), []byte("module "+moduleName))
	goMod = append(goMod, "\nrequire github.com/onceberg/onceberg v0.0.0\nreplace github.com/onceberg/onceberg => "+root+"\n"...)
	m := &module{dir: t.TempDir()}
	m.write(t, "go.mod", goMod)
	m.write(t, "go.sum", read(t, filepath.Join(root, "go.sum")))
	return m
}

func projectRoot(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func (m *module) path(name string) string { return filepath.Join(m.dir, filepath.FromSlash(name)) }

func (m *module) write(t testing.TB, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// generate generates package pkg of the module from a document.
func (m *module) generate(t testing.TB, pkg string, spec []byte, c generator.Config) *generator.Analysis {
	t.Helper()
	c.Out, c.Package = m.path(pkg), pkg
	a, err := generator.Generate(spec, c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// tool runs the go command in the module, offline, and fails the test when it
// fails.
func (m *module) tool(t testing.TB, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, head(out.Bytes()))
	}
}

// head keeps a message readable when a thousand lines of errors follow.
func head(text []byte) []byte {
	const limit = 4000
	if len(text) > limit {
		return append(text[:limit:limit], "\n..."...)
	}
	return text
}
