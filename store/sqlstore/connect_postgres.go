package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/driver/pgdriver"
)

func openPostgres(ctx context.Context, dsn string, options Options) (*bun.DB, error) {
	if _, err := pgdriver.NewDriver().OpenConnector(dsn); err != nil {
		return nil, errBadDSN("PostgreSQL")
	}
	pg := pgdriver.NewConnector(
		pgdriver.WithDialTimeout(dialTimeout),
		pgdriver.WithReadTimeout(readTimeout),
		pgdriver.WithWriteTimeout(writeTimeout),
		pgdriver.WithApplicationName("onceberg"),
		pgdriver.WithDSN(dsn),
	)
	config := pg.Config()
	if options.User != "" {
		config.User = options.User
	}
	if options.Password != "" {
		config.Password = options.Password
	}
	endAbandoned(config)
	db := bun.NewDB(sql.OpenDB(&postgresConnector{pg}), pgdialect.New())
	limit(db, options)
	return answering(ctx, db)
}

// endAbandoned lets the server end statements that this side has given up. A
// connection that is closed while its statement waits for a lock goes on waiting
// in the server, and would take one of its slots for as long as the lock is
// held. The DSN can say otherwise.
func endAbandoned(config *pgdriver.Config) {
	const parameter = "statement_timeout"
	if _, ok := config.ConnParams[parameter]; ok {
		return
	}
	params := map[string]any{parameter: strconv.FormatInt(readTimeout.Milliseconds(), 10)}
	for name, value := range config.ConnParams {
		params[name] = value
	}
	config.ConnParams = params
}

// postgresConnector opens connections that obey their contexts.
type postgresConnector struct {
	*pgdriver.Connector
}

// Connect opens a connection, and gives up when the context is done.
func (c *postgresConnector) Connect(ctx context.Context) (driver.Conn, error) {
	var dialed net.Conn
	stop := func() bool { return true }
	config := *c.Config()
	dial := config.Dialer
	config.Dialer = func(_ context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err == nil {
			dialed, stop = conn, context.AfterFunc(ctx, func() { conn.Close() })
		}
		return conn, err
	}
	conn, err := pgdriver.NewConnector(pgdriver.WithConfig(&config)).Connect(context.WithoutCancel(ctx))
	if !stop() {
		err = errors.Join(ctx.Err(), err)
	}
	if err != nil {
		if dialed != nil {
			dialed.Close() // pgdriver leaves it open
		}
		return nil, err
	}
	return &postgresConn{Conn: conn.(*pgdriver.Conn)}, nil
}

// postgresConn adds to pgdriver's connection what it leaves out: it obeys a
// context that is cancelled, where pgdriver only looks at deadlines, and it is
// not taken from the pool again when the server has closed it.
type postgresConn struct {
	*pgdriver.Conn
	prepared map[string]bool // names of the statements that it has prepared
}

var (
	_ driver.ExecerContext   = (*postgresConn)(nil)
	_ driver.QueryerContext  = (*postgresConn)(nil)
	_ driver.ConnBeginTx     = (*postgresConn)(nil)
	_ driver.SessionResetter = (*postgresConn)(nil)
)

// ExecContext runs a statement until the context is done.
func (c *postgresConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return until(ctx, c, func(ctx context.Context) (driver.Result, error) {
		if err := c.prepare(ctx, query); err != nil {
			return nil, err
		}
		return c.Conn.ExecContext(ctx, query, args)
	})
}

// QueryContext runs a query until the context is done.
func (c *postgresConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return until(ctx, c, func(ctx context.Context) (driver.Rows, error) {
		if err := c.prepare(ctx, query); err != nil {
			return nil, err
		}
		return c.Conn.QueryContext(ctx, query, args)
	})
}

// BeginTx begins a transaction unless the context is done first.
func (c *postgresConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	return until(ctx, c, func(ctx context.Context) (driver.Tx, error) { return c.Conn.BeginTx(ctx, options) })
}

// Ping asks the server for an answer until the context is done.
func (c *postgresConn) Ping(ctx context.Context) error {
	_, err := until(ctx, c, func(ctx context.Context) (struct{}, error) { return struct{}{}, c.Conn.Ping(ctx) })
	return err
}

// ResetSession is asked before a connection from the pool is used.
func (c *postgresConn) ResetSession(ctx context.Context) error {
	if !isQuiet(c.Conn.Conn()) {
		return driver.ErrBadConn
	}
	return c.Conn.ResetSession(ctx)
}

// until runs a call and closes the connection under it when the context is done.
// The statement may go on in the server; its outcome is then unknown. The call
// itself gets a context without a deadline, or pgdriver would time out a moment
// before the context does.
func until[T any](ctx context.Context, c *postgresConn, call func(context.Context) (T, error)) (T, error) {
	stop := context.AfterFunc(ctx, func() { _ = c.Conn.Close() })
	value, err := call(context.WithoutCancel(ctx))
	if !stop() && err != nil {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return value, err
}
