package testdb

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Database creates a fresh, empty database on the server and returns its DSN: a
// postgres:// URL, or the form of go-sql-driver/mysql. The database is dropped
// when the test ends, with whatever is still connected to it.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	name := "t_" + strings.ToLower(rand.Text()[:16])
	if err := s.administer("CREATE DATABASE " + name); err != nil {
		tb.Fatalf("testdb: %s: create a database: %v", s.engine.name, err)
	}
	tb.Cleanup(func() {
		if s.down() {
			return
		}
		if err := s.administer(fmt.Sprintf(s.engine.drop, name)); err != nil {
			tb.Errorf("testdb: %s: drop database %s: %v", s.engine.name, name, err)
		}
	})
	if s.given == "" {
		return s.engine.dsn(s.addr, name)
	}
	dsn, err := s.engine.within(s.given, name)
	if err != nil {
		tb.Fatalf("testdb: %v", err)
	}
	return dsn
}

// down reports whether a test has stopped the server for good.
func (s *Server) down() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.given == "" && s.proc == nil
}

// administer runs one statement as the administrator.
func (s *Server) administer(statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	db, err := s.admin()
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetConnMaxLifetime(time.Minute)
	_, err = db.ExecContext(ctx, statement)
	return err
}

func (s *Server) admin() (*sql.DB, error) {
	if s.given != "" {
		return s.engine.open(s.given)
	}
	return s.engine.open(s.engine.dsn(s.addr, ""))
}
