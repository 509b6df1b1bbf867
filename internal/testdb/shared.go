package testdb

import (
	"errors"
	"os"
	"sync"
	"testing"
)

// shared is a server that all tests of the process use, started by the first of
// them and stopped by Main.
type shared struct {
	engine  *engine
	durable bool

	once   sync.Once
	server *Server
	err    error
}

var (
	sharedPostgres  = &shared{engine: postgres}
	sharedMariaDB   = &shared{engine: mariadb}
	durablePostgres = &shared{engine: postgres, durable: true}
	durableMariaDB  = &shared{engine: mariadb, durable: true}
)

// Postgres returns the PostgreSQL server of this test process. Tests must not
// stop it.
func Postgres(tb testing.TB) *Server {
	tb.Helper()
	return pick(tb, sharedPostgres, durablePostgres)
}

// MariaDB returns the MariaDB server of this test process. Tests must not stop
// it.
func MariaDB(tb testing.TB) *Server {
	tb.Helper()
	return pick(tb, sharedMariaDB, durableMariaDB)
}

// NewPostgres starts a PostgreSQL server for this test alone, which may stop
// and start it as it likes. It ends with the test.
func NewPostgres(tb testing.TB) *Server {
	tb.Helper()
	return own(tb, postgres)
}

// NewMariaDB starts a MariaDB server for this test alone, which may stop and
// start it as it likes. It ends with the test.
func NewMariaDB(tb testing.TB) *Server {
	tb.Helper()
	return own(tb, mariadb)
}

func own(tb testing.TB, e *engine) *Server {
	tb.Helper()
	s, err := newServer(e, false)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.remove(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func pick(tb testing.TB, forTests, forBenchmarks *shared) *Server {
	tb.Helper()
	which := forTests
	if _, ok := tb.(*testing.B); ok {
		which = forBenchmarks
	}
	which.once.Do(which.open)
	if which.err != nil {
		tb.Fatal(which.err)
	}
	return which.server
}

func (s *shared) open() {
	if dsn := os.Getenv(s.engine.env); dsn != "" && !s.durable {
		s.server = &Server{engine: s.engine, given: dsn}
		return
	}
	s.server, s.err = newServer(s.engine, s.durable)
}

func (s *shared) close() error {
	s.once.Do(func() { s.err = errors.New("testdb: the servers of this process have been stopped") })
	if s.server == nil || s.server.given != "" {
		return nil
	}
	return s.server.remove()
}
