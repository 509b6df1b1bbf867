package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func newServe(file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Serve until told to stop (what server does without a command)",
		Long: "serve prints the address it listens on and serves until SIGINT or SIGTERM. Requests in\n" +
			"flight then get shutdown-timeout to finish; a second signal ends the server at once. SIGHUP makes\n" +
			"it read the files of auth and tls again.",
		Example: "  server serve --listen 127.0.0.1:0 --idempotency.enabled",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := load(cmd, *file)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			sv, err := newServer(ctx, s, newLogger(s, cmd.ErrOrStderr()))
			if err != nil {
				return failed(err)
			}
			listener, err := net.Listen("tcp", s.Listen)
			if err != nil {
				return failure{errors.Join(fmt.Errorf("listen: %w", err), sv.stop(context.Background()))}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "listening on %s://%s\n", sv.scheme(), listener.Addr())
			if err := sv.run(ctx, stop, listener); err != nil {
				return failure{err}
			}
			return nil
		},
	}
}

// run serves on the listener until ctx ends, and then stops. SIGHUP makes it read
// its files again meanwhile. released is called at the beginning of the stop, so
// that the next signal ends the process.
func (sv *server) run(ctx context.Context, released func(), listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- sv.serve(listener) }()
	sv.log.Info("serving", slog.String("address", listener.Addr().String()), slog.String("version", version()))
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	var err error
	for serving := true; serving; {
		select {
		case <-hangUps:
			sv.reload()
			continue
		case err = <-failed:
		case <-ctx.Done():
		}
		serving = false
	}
	released()
	sv.log.Info("stopping", slog.Duration("timeout", sv.shutdownTimeout))
	limit, cancel := context.WithTimeout(context.Background(), sv.shutdownTimeout)
	defer cancel()
	err = errors.Join(err, sv.stop(limit))
	sv.log.Info("stopped")
	return err
}

// reload reads tokens, clients, rules and the certificate again. What cannot be
// read stays as it was.
func (sv *server) reload() {
	if err := errors.Join(sv.auth.Reload(), sv.certificate.reload()); err != nil {
		sv.log.Error("files could not be read again; what they said before still counts", slog.Any("error", err))
		return
	}
	sv.log.Info("read the files again")
}
