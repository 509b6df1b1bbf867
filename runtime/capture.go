package runtime

import (
	"bytes"
	"errors"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"
)

// errHeldBack is what a keyed handler gets that asks for the connection.
var errHeldBack = errors.New(
	"runtime: a keyed response is held back until it is recorded; it cannot be flushed or hijacked")

// capture is the http.ResponseWriter of a keyed handler. It holds the whole
// answer back: the client must not see it before the record is durable. It does
// not unwrap to the real writer, so that nothing gets around it.
type capture struct {
	header   http.Header
	status   int
	body     bytes.Buffer
	response echo.Response
}

var captures = sync.Pool{New: func() any { return &capture{header: http.Header{}} }}

func (rec *capture) free() {
	if rec.body.Cap() > keptBuffer {
		return
	}
	rec.clear()
	rec.response = echo.Response{}
	captures.Put(rec)
}

func (rec *capture) clear() {
	clear(rec.header)
	rec.status = 0
	rec.body.Reset()
}

// begin makes the capture an empty response that starts with the headers which
// middlewares have set on the real one so far.
func (rec *capture) begin(e *echo.Echo, outer http.Header) *echo.Response {
	rec.clear()
	for name, values := range outer {
		rec.header[name] = values[:len(values):len(values)]
	}
	rec.response = *echo.NewResponse(rec, e)
	return &rec.response
}

// Header implements http.ResponseWriter.
func (rec *capture) Header() http.Header { return rec.header }

// WriteHeader implements http.ResponseWriter. Informational statuses would have
// to be sent at once and are dropped.
func (rec *capture) WriteHeader(status int) {
	if rec.status == 0 && status >= http.StatusOK {
		rec.status = status
	}
}

// Write implements http.ResponseWriter.
func (rec *capture) Write(p []byte) (int, error) {
	rec.WriteHeader(http.StatusOK)
	if !bodyAllowed(rec.status) {
		return 0, http.ErrBodyNotAllowed
	}
	return rec.body.Write(p)
}

// FlushError refuses what http.ResponseController asks for.
func (rec *capture) FlushError() error { return errHeldBack }

// finish settles what the server would have settled for the handler.
func (rec *capture) finish() {
	rec.WriteHeader(http.StatusOK)
	if etag, ok := rec.header["Etag"]; ok {
		delete(rec.header, "Etag")
		rec.header["ETag"] = etag
	}
	if !bodyAllowed(rec.status) {
		delete(rec.header, "Content-Type")
	}
}

// send writes the captured answer as the real one. A client that is gone cannot
// be told so.
func (rec *capture) send(w *echo.Response) {
	header := w.Header()
	clear(header)
	for name, values := range rec.header {
		header[name] = values
	}
	rec.write(w)
}

// write writes status and body.
func (rec *capture) write(w *echo.Response) {
	w.WriteHeader(rec.status)
	if rec.body.Len() > 0 {
		_, _ = w.Write(rec.body.Bytes())
	}
}

func bodyAllowed(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}
