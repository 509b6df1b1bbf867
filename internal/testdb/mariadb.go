package testdb

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"github.com/go-sql-driver/mysql"
)

var mariadb = &engine{
	name:     "MariaDB",
	packages: "mariadb-server",
	env:      "ONCEBERG_TEST_MYSQL",
	users:    []string{"mysql", "nobody"},
	stop:     syscall.SIGTERM,
	orphaned: syscall.SIGKILL,
	binaries: map[string][]string{
		"mariadb-install-db": {"/usr/bin/mariadb-install-db", "/usr/local/mysql/scripts/mariadb-install-db"},
		"mariadbd":           {"/usr/sbin/mariadbd", "/usr/libexec/mariadbd", "/usr/local/mysql/bin/mariadbd"},
	},
	initialize: initMariaDB,
	configure:  configureMariaDB,
	dsn: func(addr, database string) string {
		return account + ":" + password + "@tcp(" + addr + ")/" + database
	},
	within: func(dsn, database string) (string, error) {
		config, err := mysql.ParseDSN(dsn)
		if err != nil {
			return "", fmt.Errorf("ONCEBERG_TEST_MYSQL is not a DSN of go-sql-driver/mysql")
		}
		config.DBName = database
		return config.FormatDSN(), nil
	},
	reroute: func(dsn, addr string) (string, string, error) {
		config, err := mysql.ParseDSN(dsn)
		if err != nil {
			return "", "", err
		}
		was := config.Addr
		config.Addr = addr
		return config.FormatDSN(), was, nil
	},
	open: func(dsn string) (*sql.DB, error) { return sql.Open("mysql", dsn) },
	drop: "DROP DATABASE IF EXISTS %s",
}

// welcome creates the tests' account on the first start. Its host is spelled
// out, so that no anonymous account of the installation comes before it.
const welcome = `CREATE USER IF NOT EXISTS '` + account + `'@'127.0.0.1' IDENTIFIED BY '` + password + `';
GRANT ALL ON *.* TO '` + account + `'@'127.0.0.1' WITH GRANT OPTION;
`

func initMariaDB(ctx context.Context, s *Server) error {
	file := filepath.Join(s.dir, "welcome.sql")
	if err := os.WriteFile(file, []byte(welcome), 0o600); err != nil {
		return err
	}
	if err := s.user.own(file); err != nil {
		return err
	}
	return s.execute(ctx, "mariadb-install-db", "--no-defaults", "--datadir="+s.data(),
		"--auth-root-authentication-method=normal", "--skip-test-db", "--innodb-log-file-size=48M")
}

func configureMariaDB(s *Server) (string, []string) {
	_, port, _ := net.SplitHostPort(s.addr)
	args := []string{
		"--no-defaults", "--datadir=" + s.data(), "--bind-address=127.0.0.1", "--port=" + port,
		"--socket=" + filepath.Join(s.dir, "socket"), "--pid-file=" + filepath.Join(s.dir, "pid"),
		"--init-file=" + filepath.Join(s.dir, "welcome.sql"), "--tmpdir=" + s.dir,
		"--skip-name-resolve", "--skip-log-bin", "--max-connections=1000", "--innodb-log-file-size=48M",
		// A body of 16 MiB travels as a hexadecimal literal, twice its size.
		"--max-allowed-packet=64M",
	}
	if !s.durable { // commits reach the operating system, which survives a kill
		args = append(args, "--innodb-flush-log-at-trx-commit=2", "--innodb-doublewrite=0")
	}
	return "mariadbd", args
}
