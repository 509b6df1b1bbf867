package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const raw = `date: 2026-12-01 02:55 UTC
commit: 0123456789ab
go: 1.26.8
cores: 2
memory: 24 GiB
load: 0.07
turns: short
goos: linux
goarch: amd64
pkg: github.com/onceberg/onceberg/generator
cpu: A processor
BenchmarkGenerate-2 	 3	 0 ns/op	 300.0 ms-alone	 450.0 ms-ours	 1.5 ratio
BenchmarkGenerate-2 	 3	 0 ns/op	 310.0 ms-alone	 496.0 ms-ours	 1.6 ratio
BenchmarkGenerate-2 	 3	 0 ns/op	 290.0 ms-alone	 348.0 ms-ours	 1.2 ratio
PASS
ok  	github.com/onceberg/onceberg/generator	9.1s
postgres: 17.2
BenchmarkKey/postgres/clients=16-2	 4	 3689 none-req/s	 2250.4 transactional-req/s	 0.61 transactional/none
BenchmarkLoopback-2	 2000	 61234 ns/op	 60000 bare-ns/op	 66000 safe-ns/op	 1.1 safe/bare
`

// lines returns those of a table that are about a name.
func lines(table, name string) []string {
	var found []string
	for line := range strings.Lines(table) {
		if strings.Contains(line, name) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

func TestTable(t *testing.T) {
	t.Parallel()
	results, err := parse(strings.NewReader(raw), "raw.txt")
	if err != nil {
		t.Fatal(err)
	}
	table := render(results)
	for name, want := range map[string]string{
		"Machine":   "Machine: A processor, 2 cores, 24 GiB of memory, linux/amd64; load when it began: 0.07.",
		"Commit":    "Go 1.26.8, PostgreSQL 17.2, MariaDB unknown, SQLite unknown. Commit 0123456789ab, 2026-12-01 02:55 UTC.",
		"short run": "**A short run: it shows that everything works, and its figures mean nothing.**",
		"generation": "| generation / oapi-codegen alone on the repaired document | 1.50 | 1.20 – 1.60 | 3 | ≤ 1.5 met |" +
			" 450 ms : 300 ms |",
		"Transport": "| through the Transport / without it | 1.10 | 1.10 – 1.10 | 1 |  | 66.0 µs : 60.0 µs |",
		"transactional / no key |": "| transactional / no key | 0.61 | 0.61 – 0.61 | 1 | **≥ 0.65 missed** |" +
			" 2,250/s : 3,689/s |",
		"two-phase / no key |": "| two-phase / no key | not measured | | | | |",
	} {
		got := lines(table, name)
		if len(got) == 0 || got[0] != want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
	}
}

// TestEveryRowHasABenchmark looks for the benchmarks by their names, so that one
// which is renamed does not leave rows that are never measured.
func TestEveryRowHasABenchmark(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	for _, pattern := range []string{"../*_test.go", "../../../runtime/bench*_test.go", "../../../client/bench_test.go", "../../../generator/bench_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, error %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
	}
	top := regexp.MustCompile(`^\w+`)
	for _, s := range sections() {
		for _, r := range s.rows {
			if name := "func Benchmark" + top.FindString(r.bench) + "("; !strings.Contains(source.String(), name) {
				t.Errorf("row %q: there is no %s", r.name, name)
			}
		}
	}
}

func TestGroupedAndShort(t *testing.T) {
	t.Parallel()
	for value, want := range map[float64]string{
		0: "0", 0.0423: "0.042", 0.654: "0.65", 9.994: "9.99", 12.34: "12.3", 123.4: "123", 1234.5: "1,234", 1e7: "10,000,000",
		-2.5: "-2.50", -123456: "-123,456",
	} {
		if got := short(value); got != want {
			t.Errorf("short(%v) is %q, want %q", value, got, want)
		}
	}
}

// TestDo makes the table from a raw file and puts it into a document, twice.
func TestDo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	rawFile, document := filepath.Join(folder, "raw.txt"), filepath.Join(folder, "doc.md")
	write(t, rawFile, raw)
	write(t, document, "Before.\n"+beginMark+"old\n"+endMark+"After.\n")
	for range 2 {
		var stdout, stderr bytes.Buffer
		if code := do(t.Context(), []string{"-from", rawFile, "-out", folder, "-write", document}, &stdout, &stderr); code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr.String())
		}
	}
	table, text := read(t, filepath.Join(folder, "table.md")), read(t, document)
	if want := "Before.\n" + beginMark + "\n" + table + "\n" + endMark + "After.\n"; text != want {
		t.Fatalf("the document is\n%s\nwant\n%s", text, want)
	}
	if strings.Contains(text, "old") || !strings.Contains(table, "1.20 – 1.60") {
		t.Fatalf("the document is\n%s", text)
	}
}

func TestDoFails(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	rawFile, document := filepath.Join(folder, "raw.txt"), filepath.Join(folder, "doc.md")
	write(t, rawFile, raw)
	write(t, document, "no markers\n")
	broken := filepath.Join(folder, "broken.txt")
	write(t, broken, "BenchmarkKey-2 many 1 req/s\n")
	for name, test := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no markers":  {[]string{"-from", rawFile, "-out", folder, "-write", document}, 1, "has no lines"},
		"no raw file": {[]string{"-from", filepath.Join(folder, "none"), "-out", folder}, 1, "none"},
		"broken":      {[]string{"-from", broken, "-out", folder}, 1, "parsing iteration count"},
		"flag":        {[]string{"-fast"}, 2, "-fast"},
		"short":       {[]string{"-short", "-write", document}, 2, "mean nothing"},
		"argument":    {[]string{"now"}, 2, "takes no arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			code := do(t.Context(), test.args, &stdout, &stderr)
			if code != test.code || !strings.Contains(stderr.String(), test.says) {
				t.Fatalf("exit code %d, says %q; want %d and %q", code, stderr.String(), test.code, test.says)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
