package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/cmd/server/auth"
	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/runtime/otelmetrics"
)

// Limits on slow and idle clients. The whole of a request must be there in time,
// so that nobody can hold connections by sending a body byte by byte.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 5 * time.Minute
	idleTimeout       = 2 * time.Minute
)

// server holds the parts of a running server, in the order in which requests
// meet them.
type server struct {
	log             *slog.Logger
	http            *http.Server
	health          *health
	auth            *auth.Auth
	certificate     *certificate
	backend         *backend
	guard           *runtime.Guard
	records         *records
	telemetry       *telemetry
	shutdownTimeout time.Duration
}

// newServer builds a server from its settings; it does not listen yet. When it
// fails, nothing is left open.
func newServer(ctx context.Context, s *settings.Settings, log *slog.Logger) (sv *server, err error) {
	sv = &server{log: log, shutdownTimeout: s.ShutdownTimeout}
	defer func() {
		if err != nil {
			err = errors.Join(err, sv.stop(ctx))
		}
	}()
	if sv.auth, err = auth.Open(s.Auth, now, log); err != nil {
		return sv, err
	}
	if sv.certificate, err = openCertificate(s); err != nil {
		return sv, err
	}
	if sv.telemetry, err = newTelemetry(ctx, s, log); err != nil {
		return sv, err
	}
	if sv.backend, err = openBackend(ctx, s, sv.telemetry, log); err != nil {
		return sv, err
	}
	if sv.records, err = openRecords(ctx, s, sv.backend.db, sv.telemetry, log); err != nil {
		return sv, err
	}
	if sv.guard, err = newGuard(s, sv); err != nil {
		return sv, err
	}
	sv.health = &health{log: log, checks: []check{
		{"the catalog's database cannot be used", sv.backend.Current},
		{"the idempotency store cannot be used", sv.records.ready},
	}}
	handler, err := newHandler(sv)
	if err != nil {
		return sv, err
	}
	sv.http = &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	sv.http.TLSConfig = sv.certificate.config()
	return sv, nil
}

func newGuard(s *settings.Settings, sv *server) (*runtime.Guard, error) {
	observer, err := otelmetrics.New(sv.telemetry.metrics, sv.telemetry.traces)
	if err != nil {
		return nil, err
	}
	i := s.Idempotency
	mode := runtime.ModeTwoPhase
	if s.SharesDatabase() {
		mode = runtime.ModeTransactional
	}
	guard, err := runtime.NewGuard(sv.records.store, runtime.Config{
		Mode:             mode,
		ReadOnly:         catalog.ReadOnly(),
		Volatile:         i.StoreType == settings.StoreMemory,
		Replayer:         sv.backend,
		Authorize:        sv.backend.Authorize(sv.auth.Authorizer()),
		Lifetime:         i.KeyLifetime,
		Grace:            i.Grace,
		Lease:            i.Lease,
		WaitTimeout:      i.WaitTimeout,
		ExecutionTimeout: i.ExecutionTimeout,
		InProgressStatus: runtime.InProgressStatus(i.InProgressStatus),
		StaleKey:         runtime.StaleKey(i.StaleKey),
		OnStoreError:     runtime.OnStoreError(i.OnStoreError),
		MaxStoredBody:    i.MaxStoredBody,
		MaxRequestBody:   s.MaxRequestBody,
		AnyUUIDVersion:   i.AnyUUIDVersion,
		Observer:         observer,
		Logger:           sv.log,
		Now:              now,
	})
	if err != nil {
		return nil, err
	}
	return guard, observer.Watch(guard)
}

func newHandler(sv *server) (http.Handler, error) {
	observed, err := newObservation(sv.telemetry)
	if err != nil {
		return nil, err
	}
	e := newRouter(sv.log)
	sv.health.routes(e)
	e.GET("/metrics", echo.WrapHandler(sv.telemetry.handler()))
	generated.Mount(catalogRoutes{e, observed, sv.authenticate}, withTokens{sv.backend, sv.auth}, sv.guard)
	return e, nil
}

func (sv *server) scheme() string {
	if sv.http.TLSConfig != nil {
		return "https"
	}
	return "http"
}

// serve answers requests until stop is called; that is no error.
func (sv *server) serve(listener net.Listener) error {
	var err error
	if sv.http.TLSConfig != nil {
		err = sv.http.ServeTLS(listener, "", "")
	} else {
		err = sv.http.Serve(listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serving: %w", err)
}

// stop ends a server from the outside in: what still needs a part is gone before
// the part is. What is not done when ctx ends is cut off. It also cleans up
// after a server that was built only in part.
func (sv *server) stop(ctx context.Context) error {
	var problems []error
	if sv.health != nil {
		sv.health.stopping.Store(true)
	}
	if sv.http != nil {
		if err := sv.http.Shutdown(ctx); err != nil {
			problems = append(problems, fmt.Errorf("requests in flight were cut off: %w", err), sv.http.Close())
		}
	}
	problems = append(problems, sv.guard.Close(ctx))
	if sv.records != nil {
		problems = append(problems, sv.records.close())
	}
	if sv.backend != nil {
		problems = append(problems, sv.backend.close())
	}
	if sv.telemetry != nil {
		problems = append(problems, sv.telemetry.close(ctx))
	}
	if sv.auth != nil {
		sv.auth.Close()
	}
	return errors.Join(problems...)
}
