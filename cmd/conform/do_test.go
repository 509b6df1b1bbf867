package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type result struct {
	code           int
	stdout, stderr string
}

func conform(t *testing.T, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Do(t.Context(), nil, args, &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// compare holds a text against a golden file.
func compare(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

func TestHelpAndList(t *testing.T) {
	t.Parallel()
	for name, flag := range map[string]string{"help.txt": "--help", "list.txt": "--list"} {
		r := conform(t, flag)
		if r.code != 0 || r.stderr != "" {
			t.Errorf("%s: %+v", flag, r)
		}
		compare(t, name, r.stdout)
		for line := range strings.Lines(r.stdout) {
			if len([]rune(line)) > width+1 {
				t.Errorf("%s: a line is longer than %d columns: %s", flag, width, line)
			}
		}
	}
}

// A server that keeps the promise gives 0 and all the reports that were asked
// for.
func TestHonestServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	r := conform(t, "--token", faulty.Token, "--second-token", faulty.OtherToken, "--only", "dropNamespace", "--only", "server",
		"--json", file("r.json"), "--junit", file("r.xml"), "--html", file("r.html"), faulty.Start(t, nil))
	if r.code != 0 || !strings.Contains(r.stdout, "The server keeps the promise in what was asked.") {
		t.Fatalf("%+v", r)
	}
	var report conformance.Report
	if err := json.Unmarshal(read(t, file("r.json")), &report); err != nil || report.Count(conformance.Pass) < 10 {
		t.Errorf("the JSON report: %v, %d passed", err, report.Count(conformance.Pass))
	}
	var junit struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal(read(t, file("r.xml")), &junit); err != nil || junit.Tests != len(report.Results) || junit.Failures != 0 {
		t.Errorf("the JUnit report: %v, %+v", err, junit)
	}
	if page := read(t, file("r.html")); !bytes.Contains(page, []byte("The server keeps the promise in what was asked.")) {
		t.Errorf("the page: %s", page)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A server that breaks it gives 1, and the finding says what happened.
func TestFaultyServer(t *testing.T) {
	t.Parallel()
	url := faulty.Start(t, &faulty.Faults[0]) // it executes every retry
	r := conform(t, "--token", faulty.Token, "--only", "createNamespace/lost-answer", url)
	for _, want := range []string{
		"FAIL lost-answer (must) Asked: the answer is lost and the request sent again.", "the retry is answered 409 Conflict", "The server breaks the promise.",
		`"the server ensures no additional effects`,
	} {
		if !strings.Contains(strings.Join(strings.Fields(r.stdout), " "), want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	if r.code != 1 || t.Failed() {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

// A report on standard output has it for itself.
func TestStandardOutput(t *testing.T) {
	t.Parallel()
	r := conform(t, "--token", faulty.Token, "--only", "server/lifetime", "--json", "-", faulty.Start(t, nil))
	if !json.Valid([]byte(r.stdout)) || !strings.Contains(r.stderr, "The server keeps the promise in what was asked.") {
		t.Fatalf("%+v", r)
	}
}

// A server that promises nothing has not kept a promise.
func TestServerWithoutKeys(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v1/config" {
			_, _ = w.Write([]byte(`{"defaults":{},"overrides":{}}`))
			return
		}
		http.NotFound(w, r)
	}))
	defer server.Close()
	r := conform(t, "--only", "server/lifetime", "--only", "*/replay", server.URL+"/api/v1/")
	if r.code != exitBadInput || !strings.Contains(r.stdout, "Too little could be judged") {
		t.Fatalf("%+v", r)
	}
	if all := conform(t, "--all", "--only", "server/lifetime", server.URL+"/api"); all.code != 1 {
		t.Fatalf("with --all: %+v", all)
	}
}

// Bad usage is one error and 2, and shows nothing secret.
func TestBadInput(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	const server = "http://127.0.0.1:1"
	cases := map[string]struct {
		args []string
		want string
	}{
		"no URL":             {nil, "one URL is needed, not 0"},
		"two URLs":           {[]string{server, server}, "one URL is needed, not 2"},
		"no scheme":          {[]string{"localhost:8181"}, "must begin with http:// or https://"},
		"a user in the URL":  {[]string{"http://me:hush@localhost"}, "must have no user"},
		"a server that left": {[]string{gone.URL}, "connection refused"},
		"unknown case":       {[]string{"--only", "createTable/twin", server}, `only "createTable/twin": no case matches`},
		"header":             {[]string{"--header", "hush", server}, "--header: it must be 'Name: value'"},
		"credential":         {[]string{"--credential", "hush", server}, "--credential: it must be ID:SECRET"},
		"the same token":     {[]string{"--token", "hush", "--second-token", "hush", server}, "must be somebody else's"},
		"one twin":           {[]string{"--twins", "1", server}, "--twins: it must be at least 2, not 1"},
		"no twins":           {[]string{"--twins", "0", server}, "--twins: it must be at least 2, not 0"},
		"negative twins":     {[]string{"--twins", "-1", server}, "--twins: it must be at least 2, not -1"},
		"none at once":       {[]string{"--parallel", "0", server}, "--parallel: it must be at least 1"},
		"no time":            {[]string{"--timeout", "0", server}, "--timeout: it must be longer than nothing"},
		"negative":           {[]string{"--timeout", "-1s", server}, "--timeout: it must be longer than nothing"},
		"no patience":        {[]string{"--patience", "0", server}, "--patience: it must be longer than nothing"},
		"negative lifetime":  {[]string{"--lifetime-wait", "-1s", server}, "--lifetime-wait: it must not be negative"},
		"one file for two":   {[]string{"--json", "a", "--html", "./a", server}, "--html: ./a is the file of --json already"},
		"one output for two": {[]string{"--json", "-", "--junit", "-", server}, "--junit: - is the file of --json already"},
		"strange second":     {[]string{"--token", faulty.Token, "--second-token", "hush", faulty.Start(t, nil)}, "the second token is not let in: GET "},
		"unknown flag":       {[]string{"--tokn", "x", server}, "unknown flag: --tokn"},
	}
	for name, c := range cases {
		r := conform(t, c.args...)
		if r.code != exitBadInput || r.stdout != "" || !strings.Contains(r.stderr, c.want) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: %+v; want %q", name, r, c.want)
		}
		if !strings.HasPrefix(r.stderr, "conform: ") || strings.Contains(r.stderr, "conformance:") {
			t.Errorf("%s: one prefix is enough: %s", name, r.stderr)
		}
		if strings.Contains(r.stderr, "hush") {
			t.Errorf("%s: the error tells a secret: %s", name, r.stderr)
		}
	}
}
