package golden

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/generator"
)

// exerciseSubjects round-trips instances of all schemas through the package:
// what a schema knows of a value comes back when the value is decoded and
// encoded, and nothing is made up. Empty lists come back as well when they have
// become nil in between.
func exerciseSubjects(t *testing.T, program, pkg string, a *generator.Analysis, list []subject) {
	t.Helper()
	h := startHarness(t, program, pkg)
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			in := instances{doc: a.Read, otherCase: s.shape != ""}
			rapid.Check(t, func(t *rapid.T) {
				drawn := in.draw(t, s.schema, 0)
				if drawn == nil {
					return // null alone is no value of a Go type; its users are tested
				}
				if problem := h.problem(s.name, drawn); problem != "" {
					t.Fatalf("%s\nsent %s", problem, encodeJSON(sent(drawn)))
				}
			})
		})
	}
}

// harness is a running program that decodes and encodes.
type harness struct {
	in  io.Writer
	out *bufio.Reader
}

// buildHarness builds packages of the module, each with its subjects, into one
// program.
func buildHarness(t *testing.T, m *module, packages map[string][]subject) string {
	t.Helper()
	var imports, entries strings.Builder
	for _, pkg := range sortedKeys(packages) {
		for _, file := range []string{"exchange.go", "hollow.go"} {
			text := read(t, filepath.Join("testdata", "lossless", file))
			m.write(t, pkg+"/"+file, bytes.Replace(text, []byte("package generated"), []byte("package "+pkg), 1))
		}
		m.write(t, pkg+"/registry.go", registry(pkg, packages[pkg]))
		fmt.Fprintf(&imports, "\t%q\n", moduleName+"/"+pkg)
		fmt.Fprintf(&entries, "\t%q: %s.Exchange,\n", pkg, pkg)
	}
	m.write(t, "harness/main.go", fmt.Appendf(nil, `package main

import (
	"io"
	"os"

%s)

var exchanges = map[string]func(io.Reader, io.Writer) error{
%s}

func main() {
	if err := exchanges[os.Args[1]](os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}
`, &imports, &entries))
	program := m.path("harness/harness.bin")
	m.tool(t, "build", "-o", program, "./harness")
	return program
}

// startHarness starts the program for one package. It ends with the test, when
// its input is closed.
func startHarness(t *testing.T, program, pkg string) *harness {
	t.Helper()
	cmd := exec.Command(program, pkg)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the harness ended badly: %v", err)
		}
	})
	return &harness{in: in, out: bufio.NewReaderSize(out, 1<<20)}
}

// problem sends an instance through a type and says what is wrong with what
// comes back; empty when nothing is.
func (h *harness) problem(typeName string, drawn any) string {
	call := struct {
		Type string `json:"type"`
		JSON any    `json:"json"`
	}{typeName, sent(drawn)}
	if _, err := fmt.Fprintf(h.in, "%s\n", encodeJSON(call)); err != nil {
		return err.Error()
	}
	line, err := h.out.ReadBytes('\n')
	if err != nil {
		return "the harness is gone: " + err.Error()
	}
	var answer struct {
		JSON  json.RawMessage `json:"json"`
		Error string          `json:"error"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return err.Error()
	}
	if answer.Error != "" {
		return answer.Error
	}
	back, err := decodeJSON(answer.JSON)
	if err != nil {
		return err.Error()
	}
	if lost := missing("", normal(kept(drawn)), back); lost != "" {
		return "lost: " + lost + "\ngot  " + string(answer.JSON)
	}
	if added := missing("", back, normal(sent(drawn))); added != "" {
		return "made up: " + added + "\ngot  " + string(answer.JSON)
	}
	return ""
}

// normal is a value as it comes back from the wire, where invalid text, for
// instance, has been replaced already.
func normal(v any) any {
	back, err := decodeJSON(encodeJSON(v))
	if err != nil {
		panic(err)
	}
	return back
}
