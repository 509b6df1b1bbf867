package testdb

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// The one account that the servers started here know.
const (
	account  = "onceberg"
	password = "onceberg-secret"
)

// engine is what differs between the kinds of server.
type engine struct {
	name     string
	packages string              // what apt-get installs
	env      string              // the variable that names a server to use instead
	users    []string            // whom to run as when the tests run as root
	stop     syscall.Signal      // ends the server in an orderly way, at once
	orphaned syscall.Signal      // what the kernel sends when the tests die
	binaries map[string][]string // program to the patterns where it may lie

	// initialize prepares an empty data folder; configure returns the program
	// that serves it, and its arguments.
	initialize func(ctx context.Context, s *Server) error
	configure  func(s *Server) (program string, args []string)

	// dsn returns the address of a database on a server started here; an empty
	// name is the administrator's. within puts a database's name into a DSN
	// that came from the environment.
	dsn    func(addr, database string) string
	within func(dsn, database string) (string, error)
	// reroute replaces the address in a DSN and returns the one that was there.
	reroute func(dsn, addr string) (rerouted, was string, err error)
	open    func(dsn string) (*sql.DB, error)
	drop    string // the statement that drops a database, with %s for its name
}

// find returns the path of a program: from PATH, or from where Debian keeps the
// programs of servers.
func (e *engine) find(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	for _, pattern := range e.binaries[program] {
		matches, _ := filepath.Glob(pattern)
		for i := len(matches) - 1; i >= 0; i-- { // the newest version last
			if info, err := os.Stat(matches[i]); err == nil && info.Mode()&0o111 != 0 {
				return matches[i], nil
			}
		}
	}
	return "", fmt.Errorf("%s is needed for this test and its program %q was not found: "+
		"run `make deps` or `apt-get install %s`, or set %s", e.name, program, e.packages, e.env)
}
