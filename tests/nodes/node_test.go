package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// What a node says on its standard output, a line each, and hears on its input.
const (
	saysListening = "listening" // and its address
	saysReached   = "reached"   // and the point and the key of a request that stopped
	hearsResume   = "resume"    // and the key of a request that shall go on
)

// What a node tells beside the catalog: how many requests wait, and how often its
// guard has called the store.
const (
	waitingPath = "/test/waiting"
	callsPath   = "/test/calls"
)

// callCount is a runtime.Observer that counts the calls of the store.
type callCount struct{ n atomic.Int64 }

// Observe implements runtime.Observer.
func (*callCount) Observe(context.Context, *runtime.Operation, runtime.Event, time.Duration) {}

// ObserveStore implements runtime.Observer.
func (c *callCount) ObserveStore(context.Context, runtime.StoreCall, time.Duration, error) {
	c.n.Add(1)
}

func (c *callCount) String() string { return strconv.FormatInt(c.n.Load(), 10) }

// serveNode is the whole life of a node. It ends with its standard input, so
// that it cannot outlive the test that holds the other end.
func serveNode(text string) (code int) {
	var config nodeConfig
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	points := &points{out: os.Stdout}
	go func() {
		points.listen(os.Stdin)
		os.Exit(0)
	}()
	if err := runNode(ctx, config, points); err != nil {
		fmt.Fprintln(os.Stderr, config.Name+":", err)
		return 1
	}
	return 0
}

func runNode(ctx context.Context, config nodeConfig, points *points) error {
	db, err := openMigrated(ctx, config.DSN)
	if err != nil {
		return err
	}
	b := &backend{node: config.Name, db: db, points: points}
	guard, err := config.guard(b)
	if err != nil {
		return err
	}
	e := echo.New()
	e.Use(points.middleware)
	e.GET(waitingPath, func(c echo.Context) error { return c.String(http.StatusOK, strconv.Itoa(guard.Waiting())) })
	e.GET(callsPath, func(c echo.Context) error { return c.String(http.StatusOK, b.calls.String()) })
	generated.Register(e, b, guard)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	points.say(saysListening, listener.Addr().String())
	server := &http.Server{Handler: e, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// guard returns the guard of the node's form, nil for none.
func (config nodeConfig) guard(b *backend) (*runtime.Guard, error) {
	if config.Form == unguarded {
		return nil, nil
	}
	cfg := runtime.Config{
		Lease:       config.Lease,
		WaitTimeout: config.WaitTimeout,
		Lifetime:    config.Lifetime,
		Logger:      nodeLogger(),
		Observer:    &b.calls,
		Now:         func() time.Time { return time.Now().Add(config.Skew) },
	}
	cfg.ExecutionTimeout = 10 * time.Minute // a busy machine holds handlers back for long
	switch config.Form {
	case transactional:
		cfg.Mode = runtime.ModeTransactional
	case reconciling:
		cfg.Reconcile = b.reconcile
	}
	records, err := sqlstore.New(b.db, sqlstore.Options{Logger: nodeLogger()})
	if err != nil {
		return nil, err
	}
	return runtime.NewGuard(records, cfg)
}

func nodeLogger() *slog.Logger { return slog.New(slog.NewTextHandler(os.Stderr, nil)) }

// openMigrated opens the database and brings it up to date, together with the
// nodes that start at the same time. A database that is away is waited for.
func openMigrated(ctx context.Context, dsn string) (*bun.DB, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		db, err := sqlstore.OpenDB(ctx, dsn, sqlstore.Options{})
		if err == nil {
			if err = sqlstore.Migrate(ctx, db); err == nil {
				return db, nil
			}
			db.Close()
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
