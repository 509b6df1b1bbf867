package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"
)

// enoughPacket is the max_allowed_packet that the largest body needs by default:
// 16 MiB as hexadecimal digits, and the rest of the statement.
const enoughPacket = 34 << 20

func openMySQL(ctx context.Context, dsn string, options Options) (*bun.DB, error) {
	config, err := mysqlConfig(dsn)
	if err != nil {
		return nil, err
	}
	if options.User != "" {
		config.User = options.User
	}
	if options.Password != "" {
		config.Passwd = options.Password
	}
	inner, err := newMySQLConnector(config)
	if err != nil {
		return nil, err
	}
	sqldb := sql.OpenDB(inner)
	if err := sqldb.PingContext(ctx); err != nil { // before the dialect asks for the version
		sqldb.Close()
		return nil, err
	}
	db := bun.NewDB(sqldb, mysqldialect.New())
	limit(db, options)
	var packet int64
	if err := db.QueryRowContext(ctx, "SELECT @@max_allowed_packet").Scan(&packet); err != nil {
		db.Close()
		return nil, err
	}
	if packet < enoughPacket {
		options.Logger.WarnContext(ctx, "max_allowed_packet of the database is too small for the largest responses",
			"bytes", packet, "enough", enoughPacket)
	}
	return db, nil
}

// mysqlConfig parses either form of DSN and sets what it leaves open.
func mysqlConfig(dsn string) (*mysql.Config, error) {
	var config *mysql.Config
	var err error
	if scheme, _, ok := strings.Cut(dsn, "://"); ok && (scheme == "mysql" || scheme == "mariadb") {
		config, err = mysqlURL(dsn)
	} else {
		config, err = mysql.ParseDSN(dsn)
	}
	if err != nil {
		return nil, errBadDSN("MySQL")
	}
	setDefault(&config.Timeout, dialTimeout)
	setDefault(&config.ReadTimeout, readTimeout)
	setDefault(&config.WriteTimeout, writeTimeout)
	config.ParseTime = true
	config.ClientFoundRows = true
	config.Logger = &mysql.NopLogger{} // it says nothing that an error does not say too
	if config.Params == nil {
		config.Params = map[string]string{}
	}
	// Values that do not fit must fail, never be cut; and backslashes in
	// literals must mean what bun takes them to mean.
	setParam(config, "sql_mode", "'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'")
	// Shorter than the read timeout, so that a lock is an error by itself and
	// not a broken connection.
	setParam(config, "innodb_lock_wait_timeout", "10")
	return config, nil
}

func setDefault(timeout *time.Duration, value time.Duration) {
	if *timeout == 0 {
		*timeout = value
	}
}

func setParam(config *mysql.Config, name, value string) {
	if _, ok := config.Params[name]; !ok {
		config.Params[name] = value
	}
}

// mysqlURL turns a URL into the driver's form, from which user and password are
// kept out: they may hold any character.
func mysqlURL(dsn string) (*mysql.Config, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, err
	}
	port := u.Port()
	if port == "" {
		port = "3306"
	}
	plain := "tcp(" + net.JoinHostPort(u.Hostname(), port) + ")/" + url.PathEscape(strings.TrimPrefix(u.Path, "/"))
	if u.RawQuery != "" {
		plain += "?" + u.RawQuery
	}
	config, err := mysql.ParseDSN(plain)
	if err != nil {
		return nil, err
	}
	config.User = u.User.Username()
	config.Passwd, _ = u.User.Password()
	return config, nil
}

// mysqlConnector makes sessions READ COMMITTED, which PostgreSQL has by itself:
// without it a plain insert or delete locks the gaps between keys, in which
// others insert. There is no name for it that all versions take as a parameter.
type mysqlConnector struct {
	driver.Connector
	asIs bool // the DSN names an isolation level
}

func newMySQLConnector(config *mysql.Config) (driver.Connector, error) {
	inner, err := mysql.NewConnector(config)
	if err != nil {
		return nil, errBadDSN("MySQL")
	}
	_, named := config.Params["transaction_isolation"]
	_, old := config.Params["tx_isolation"]
	return &mysqlConnector{inner, named || old}, nil
}

// Connect opens a connection and sets its isolation level.
func (c *mysqlConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil || c.asIs {
		return conn, err
	}
	execer, ok := conn.(driver.ExecerContext)
	if !ok {
		conn.Close()
		return nil, fmt.Errorf("go-sql-driver/mysql gave a %T", conn)
	}
	if _, err := execer.ExecContext(ctx, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", nil); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}
