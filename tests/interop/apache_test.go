//go:build interop

package interop

import (
	"path/filepath"
	"testing"
	"time"

	apacheserver "github.com/onceberg/onceberg/internal/apache"
)

// apache is the server that Apache tests its own clients with: a servlet before
// the Java library's JDBC catalog.
var apache = subject{
	name:  "apache",
	start: startApache,
	// It honours keys without advertising a lifetime, and lets retries wait.
	advertise:  "PT30M",
	inProgress: "wait",
	differs: map[string]map[string]string{
		"kit-catalog": {
			"tableCreationWithoutNamespace": "its JDBC catalog words the error in another way than the kit wants",
			"testNamespaceWithDot":          "its JDBC catalog takes dots for levels",
			"testTableNameWithDot":          "its JDBC catalog takes dots for levels",
		},
		"kit-more": {
			"testNamespaceWithSlash": "its servlet container refuses encoded slashes",
			"testTableNameWithSlash": "its servlet container refuses encoded slashes",
		},
		"story-lost": {
			"aChangeWhoseAnswerIsLostSucceeds: registerView": "it executes it again",
		},
		"story-plans": {
			"aFilterThatCannotBeMeantIsRefused": "it answers 500 to a literal that it cannot read",
			"theTasksOfARangeAreTheClients":     "it takes the start of a range as a part of it",
		},
		"pyiceberg": {
			"test_names_that_look_encoded":       "its servlet container refuses encoded percent signs and slashes",
			"test_a_filter_that_cannot_be_meant": "it answers 500 to a literal that it cannot read",
		},
	},
}

func startApache(t *testing.T, r run) server {
	t.Helper()
	java, err := prepareJava()
	if err != nil {
		t.Fatal(err)
	}
	port, err := apacheserver.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	s := apacheserver.Server{
		ClassPath: java, Port: port, Temp: t.TempDir(),
		Database: filepath.Join(t.TempDir(), "catalog.db"), Warehouse: t.TempDir(),
		Patience: 30 * time.Second,
	}
	p := launch(t, r.dir, "server", s.Environ(), s.Args()[0], s.Args()[1:]...)
	p.until(t, "answers GET /v1/config", s.Answers)
	return server{url: s.URL(), hold: holdSQLite(s.Database)}
}
