//go:build interop

package interop

import (
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
	"time"
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
		"pyiceberg": {
			"test_names_that_look_encoded": "its servlet container refuses encoded percent signs and slashes",
		},
	},
}

func startApache(t *testing.T, r run) server {
	t.Helper()
	java, err := prepareJava()
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	file := filepath.Join(t.TempDir(), "catalog.db")
	p := launch(t, r.dir, "server", []string{
		"CATALOG_REST_PORT=" + strconv.Itoa(port),
		"CATALOG_WAREHOUSE=file://" + t.TempDir(),
		"CATALOG_URI=jdbc:sqlite:" + file + "?busy_timeout=30000",
		"CATALOG_JDBC_STRICT__MODE=true", // tables need a namespace
	}, "java", "-Xmx1g", "-cp", java, "org.apache.iceberg.rest.RESTCatalogServer")
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	answers := func() bool {
		client := http.Client{Timeout: time.Second}
		response, err := client.Get(url + "/v1/config")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		return response.StatusCode == http.StatusOK
	}
	p.until(t, "answers GET /v1/config", answers)
	return server{url: url, hold: holdSQLite(file)}
}

// freePort returns a port that nobody listens on. Somebody else may take it
// before the server does; the server then ends and says so.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
