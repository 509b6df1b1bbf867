package main

import (
	"context"
	"io"
	"log/slog"

	"github.com/onceberg/onceberg/cmd/server/settings"
)

func newLogger(s *settings.Settings, w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: s.Log.Level}
	var handler slog.Handler = slog.NewTextHandler(w, options)
	if s.Log.Format == settings.LogJSON {
		handler = slog.NewJSONHandler(w, options)
	}
	return slog.New(requestHandler{handler})
}

// requestHandler adds the id of the request that a record belongs to, so that
// what the guard and the store log can be found by it.
type requestHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h requestHandler) Handle(ctx context.Context, record slog.Record) error {
	if id := requestID(ctx); id != "" {
		record.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h requestHandler) WithGroup(name string) slog.Handler {
	return requestHandler{h.Handler.WithGroup(name)}
}
