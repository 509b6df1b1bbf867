package apache

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

// Server is a RESTCatalogServer that is to be run.
type Server struct {
	// ClassPath is what ClassPath returned.
	ClassPath string
	// Port is where it listens, on this machine.
	Port int
	// Database is the SQLite file of its catalog.
	Database string
	// Warehouse is the folder of its tables.
	Warehouse string
	// Patience is how long it waits for a database that somebody has locked.
	Patience time.Duration
	// Temp is where Java may put its files.
	Temp string
}

// Args is the command line.
func (s Server) Args() []string {
	return []string{"java", "-Xmx1g", "-cp", s.ClassPath, "org.apache.iceberg.rest.RESTCatalogServer"}
}

// Environ is the whole of its environment: nothing of ours but what Java needs to
// be found.
func (s Server) Environ() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + s.Temp, "LC_ALL=C.UTF-8",
		"CATALOG_REST_PORT=" + strconv.Itoa(s.Port),
		"CATALOG_WAREHOUSE=file://" + s.Warehouse,
		"CATALOG_URI=jdbc:sqlite:" + s.Database + "?busy_timeout=" + strconv.FormatInt(s.Patience.Milliseconds(), 10),
		"CATALOG_JDBC_STRICT__MODE=true", // tables need a namespace
	}
}

// URL is what clients are configured with.
func (s Server) URL() string { return fmt.Sprintf("http://127.0.0.1:%d", s.Port) }

// Answers reports whether the server is up.
func (s Server) Answers() bool {
	client := http.Client{Timeout: time.Second}
	defer client.CloseIdleConnections()
	response, err := client.Get(s.URL() + "/v1/config")
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// FreePort returns a port that nobody listens on. Somebody else may take it before
// the server does; the server then ends and says so.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
