package testdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"syscall"

	"github.com/uptrace/bun/driver/pgdriver"
)

var postgres = &engine{
	name:     "PostgreSQL",
	packages: "postgresql",
	env:      "ONCEBERG_TEST_POSTGRES",
	users:    []string{"postgres", "nobody"},
	stop:     syscall.SIGINT, // "fast": sessions are ended, not waited for
	orphaned: syscall.SIGQUIT,
	binaries: map[string][]string{
		"initdb":   {"/usr/lib/postgresql/*/bin/initdb", "/usr/local/pgsql/bin/initdb"},
		"postgres": {"/usr/lib/postgresql/*/bin/postgres", "/usr/local/pgsql/bin/postgres"},
	},
	initialize: initPostgres,
	configure:  configurePostgres,
	dsn: func(addr, database string) string {
		if database == "" {
			database = "postgres"
		}
		return (&url.URL{
			Scheme:   "postgres",
			User:     url.UserPassword(account, password),
			Host:     addr,
			Path:     "/" + database,
			RawQuery: "sslmode=disable",
		}).String()
	},
	within: func(dsn, database string) (string, error) {
		u, err := url.Parse(dsn)
		if err != nil || u.Host == "" {
			return "", fmt.Errorf("ONCEBERG_TEST_POSTGRES is not a postgres:// URL")
		}
		u.Path = "/" + database
		return u.String(), nil
	},
	reroute: func(dsn, addr string) (string, string, error) {
		u, err := url.Parse(dsn)
		if err != nil {
			return "", "", errors.New("not a URL")
		}
		was := u.Host
		if u.Port() == "" {
			was = net.JoinHostPort(u.Hostname(), "5432")
		}
		u.Host = addr
		return u.String(), was, nil
	},
	open: func(dsn string) (*sql.DB, error) {
		if _, err := pgdriver.NewDriver().OpenConnector(dsn); err != nil {
			return nil, err
		}
		// Creating and dropping a database can take long on a busy machine.
		return sql.OpenDB(pgdriver.NewConnector(pgdriver.WithTimeout(startTimeout), pgdriver.WithDSN(dsn))), nil
	},
	drop: "DROP DATABASE IF EXISTS %s WITH (FORCE)",
}

func initPostgres(ctx context.Context, s *Server) error {
	pwfile := filepath.Join(s.dir, "password")
	if err := os.WriteFile(pwfile, []byte(password), 0o600); err != nil {
		return err
	}
	if err := s.user.own(pwfile); err != nil {
		return err
	}
	return s.execute(ctx, "initdb", "--pgdata="+s.data(), "--username="+account, "--pwfile="+pwfile,
		"--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
}

func configurePostgres(s *Server) (string, []string) {
	_, port, _ := net.SplitHostPort(s.addr)
	args := []string{"-D", s.data(), "-h", "127.0.0.1", "-p", port, "-k", s.dir, "-c", "max_connections=1000"}
	if !s.durable { // commits reach the operating system, which survives a kill
		args = append(args, "-c", "fsync=off", "-c", "full_page_writes=off")
	}
	return "postgres", args
}
