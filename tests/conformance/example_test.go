package conformance_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/onceberg/onceberg/tests/conformance"
)

// A team's test of its own server is one line.
func ExampleTest() {
	_ = func(t *testing.T) { // func TestConformance(t *testing.T)
		server := httptest.NewServer(http.NotFoundHandler()) // the team's handler
		defer server.Close()
		conformance.Test(t, conformance.Target{URL: server.URL})
	}
}

// Run gives a report to do with as one likes. This server has a configuration and
// nothing else: it promises no keys, so that nothing can be judged.
func ExampleRun() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"defaults":{},"overrides":{}}`)
	}))
	defer server.Close()
	report, err := conformance.Run(context.Background(), conformance.Target{URL: server.URL}, conformance.Options{
		Only: []string{"createTable/lost-answer", "server/lifetime"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range report.Results {
		fmt.Printf("%s/%s: %s: %s\n", r.Operation, r.Case, r.Verdict, r.Finding)
	}
	fmt.Println("exit code", report.ExitCode())
	// Output:
	// server/lifetime: skipped: idempotency-key-lifetime is not there: the server promises nothing, and clients send no keys
	// createTable/lost-answer: not offered: the server advertises no idempotency-key-lifetime, so clients send it no keys
	// exit code 2
}
