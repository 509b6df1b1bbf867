package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/onceberg/onceberg/runtime"
)

// case C7: whatever raises an error, it has Iceberg's form, as seen on the wire.
func TestErrorsOnTheWire(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(echo.Context) error { panic("oh") })
	d.echo.Use(middleware.BodyLimit("64B"))
	server := httptest.NewServer(d.echo)
	defer server.Close()
	body := func(n int) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", n, strings.Repeat("x", n)) }
	for name, test := range map[string]struct {
		request, status, kind, header string
	}{
		"no such route":     {"GET /v1/nope HTTP/1.1\r\nHost: x\r\n\r\n", "400", "BadRequestException", ""},
		"wrong method":      {"PATCH " + tableT + " HTTP/1.1\r\nHost: x\r\n\r\n", "405", "MethodNotAllowedException", "Allow: "},
		"bad key":           {"POST " + tables + " HTTP/1.1\r\nHost: x\r\nIdempotency-Key: x\r\n\r\n", "400", "BadRequestException", ""},
		"two keys":          {"POST " + tables + " HTTP/1.1\r\nHost: x\r\nIdempotency-Key: x\r\nIdempotency-Key: y\r\n\r\n", "400", "BadRequestException", ""},
		"too large":         {"POST " + tables + " HTTP/1.1\r\nHost: x\r\n" + body(65), "413", "PayloadTooLargeException", ""},
		"too large, keyed":  {"POST " + tables + " HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " + newKey() + "\r\nTransfer-Encoding: chunked\r\n\r\n41\r\n" + strings.Repeat("x", 65) + "\r\n0\r\n\r\n", "413", "PayloadTooLargeException", ""},
		"panic":             {"GET " + tableT + " HTTP/1.1\r\nHost: x\r\n\r\n", "500", "InternalServerException", ""},
		"panic in a commit": {"POST " + tableT + " HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " + newKey() + "\r\nContent-Length: 0\r\n\r\n", "500", "CommitStateUnknownException", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(test.request, "Host: x\r\n", "Host: x\r\nConnection: close\r\n", 1)
			head, body := rawExchange(t, server, text)
			var e struct {
				Error struct {
					Message, Type string
					Code          int
				}
			}
			if err := json.Unmarshal([]byte(body), &e); err != nil {
				t.Fatalf("%v: %q %q", err, head, body)
			}
			if !strings.HasPrefix(head, "HTTP/1.1 "+test.status) || !strings.Contains(head, "\r\nContent-Type: application/json") ||
				!strings.Contains(head, test.header) || fmt.Sprint(e.Error.Code) != test.status || e.Error.Type != test.kind || e.Error.Message == "" {
				t.Errorf("got %q %q; want %s %s %s", head, body, test.status, test.kind, test.header)
			}
			if strings.Contains(body, "oh") && test.status == "500" {
				t.Errorf("the client learns of the panic: %s", body)
			}
		})
	}
	if log := d.log.String(); !strings.Contains(log, "panic: oh") || !strings.Contains(log, "respond_test.go") {
		t.Errorf("the log must hold the panic and its stack: %s", log)
	}
}

// case C8: an error answers HEAD without a body.
func TestErrorOnHead(t *testing.T) {
	t.Parallel()
	d := newDesk(t, fails(runtime.Errorf(404, "NoSuchTableException", "Table does not exist: ns.t")))
	server := httptest.NewServer(d.echo)
	defer server.Close()
	for path, status := range map[string]string{tableT: "404", "/v1/nope": "400"} {
		head, body := rawExchange(t, server, "HEAD "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		if !strings.HasPrefix(head, "HTTP/1.1 "+status) || body != "" {
			t.Errorf("got %q %q; want %s without a body", head, body, status)
		}
	}
}

func TestErrorsOfHandlers(t *testing.T) {
	t.Parallel()
	secret := errors.New("password=hunter2")
	for name, test := range map[string]struct {
		err    error
		path   string
		status int
		kind   string
		retry  string
	}{
		"own":                {runtime.Errorf(404, "NoSuchTableException", "m"), tables, 404, "NoSuchTableException", ""},
		"own, wrapped":       {fmt.Errorf("%w: %w", secret, runtime.Errorf(409, "", "m")), tables, 409, "ConflictException", ""},
		"inside Echo's":      {&echo.HTTPError{Code: 400, Message: "m", Internal: runtime.Errorf(406, "", "m")}, tables, 406, "UnsupportedOperationException", ""},
		"Echo's 404":         {echo.NewHTTPError(404, "no such thing"), tables, 404, "NotFoundException", ""},
		"Echo's 415":         {echo.ErrUnsupportedMediaType, tables, 415, "UnsupportedMediaTypeException", ""},
		"Echo's 500":         {echo.NewHTTPError(500, secret.Error()), tables, 500, "InternalServerException", ""},
		"MaxBytesReader":     {&http.MaxBytesError{Limit: 7}, tables, 413, "PayloadTooLargeException", ""},
		"unknown":            {secret, tables, 500, "InternalServerException", ""},
		"unknown, commit":    {secret, tableT, 500, "CommitStateUnknownException", ""},
		"502, commit":        {&runtime.Error{Status: 502, Message: "m", Cause: secret}, tableT, 502, "CommitStateUnknownException", ""},
		"503, commit":        {&runtime.Error{Status: 503, Message: "m", RetryAfter: 1500 * time.Millisecond}, tableT, 503, "ServiceUnavailableException", "2"},
		"retry at once":      {&runtime.Error{Status: 429, Message: "m", RetryAfter: 1}, tables, 429, "TooManyRequestsException", "1"},
		"own type on 500":    {runtime.Errorf(500, "MineException", "m"), tableT, 500, "MineException", ""},
		"no status":          {&runtime.Error{Message: "m"}, tables, 500, "InternalServerException", ""},
		"impossible status":  {&runtime.Error{Status: 600, Message: "m"}, tables, 500, "InternalServerException", ""},
		"canceled by client": {context.Canceled, tables, 500, "InternalServerException", ""},
	} {
		for _, key := range []string{"", newKey()} {
			d := newDesk(t, func(c echo.Context) error {
				c.Response().Header().Set("ETag", "stale")
				c.Response().Header().Set("Content-Length", "999")
				return test.err
			})
			a := d.send(request{path: test.path, key: key}).fails(test.status, test.kind)
			if strings.Contains(a.Body.String(), "hunter2") {
				t.Errorf("%s: the client learns the cause: %s", name, a.Body)
			}
			if got := a.Header().Get("Retry-After"); got != test.retry {
				t.Errorf("%s: Retry-After %q; want %q", name, got, test.retry)
			}
			if a.Header().Get("ETag") != "" || a.Header().Get("Content-Length") != "" {
				t.Errorf("%s: headers of the answer that failed: %v", name, a.Header())
			}
			if errors.Is(test.err, secret) && !strings.Contains(d.log.String(), "hunter2") {
				t.Errorf("%s: the log does not hold the cause: %s", name, d.log)
			}
		}
	}
}

// An answer that has begun is not glued to an error; the connection is cut, so
// that the client does not take it for whole.
func TestPanicAfterTheAnswerBegan(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(c echo.Context) error {
		c.Response().WriteHeader(200)
		_, _ = c.Response().Write([]byte("half"))
		c.Response().Flush()
		panic("oh")
	})
	d.echo.Server.ErrorLog = nil
	server := httptest.NewUnstartedServer(d.echo)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	defer server.Close()
	head, body := rawExchange(t, server, "GET "+tableT+" HTTP/1.1\r\nHost: x\r\n\r\n")
	if !strings.Contains(head, "chunked") || strings.HasSuffix(body, "0\r\n\r\n") || strings.Contains(body, "error") {
		t.Errorf("got %q %q; want an answer that breaks off", head, body)
	}
	// The same handler with a key has answered nothing yet: the client gets an error.
	d.send(request{path: tableT, key: newKey()}).fails(500, "CommitStateUnknownException")
}

// A handler that cuts the connection on purpose may do so.
func TestAbortHandler(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(echo.Context) error { panic(http.ErrAbortHandler) })
	server := httptest.NewServer(d.echo)
	defer server.Close()
	for _, key := range []string{"", newKey()} {
		header := ""
		if key != "" {
			header = "Idempotency-Key: " + key + "\r\n"
		}
		head, body := rawExchange(t, server, "POST "+tables+" HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n"+header+"\r\n")
		if head+body != "" {
			t.Errorf("got %q %q; want a cut connection", head, body)
		}
	}
	d.now(answers(200, "{}"))
	key := newKey()
	d.send(request{key: key}).is(200, "{}")
}

func TestOAuthErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err    error
		status int
		code   string
	}{
		{runtime.Errorf(400, "", `grant "x" is \ not ü`), 400, "invalid_request"},
		{runtime.Errorf(400, "unsupported_grant_type", "m"), 400, "unsupported_grant_type"},
		{runtime.Errorf(400, "invalid_scope", "m"), 400, "invalid_scope"},
		{runtime.Errorf(401, "", "m"), 401, "invalid_client"},
		{runtime.Errorf(403, "", "m"), 403, "unauthorized_client"},
		{runtime.NotImplemented(getToken), 501, "server_error"},
		{errors.New("m"), 500, "server_error"},
		{runtime.Errorf(503, "", "m"), 503, "temporarily_unavailable"},
	} {
		d := newDesk(t, fails(test.err))
		a := d.send(request{path: "/v1/oauth/tokens"})
		var body map[string]string
		if err := json.Unmarshal(a.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		if a.Code != test.status || body["error"] != test.code || len(body) != 2 ||
			strings.ContainsAny(body["error_description"], "\"\\ü") || a.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%v: got %d %s", test.err, a.Code, a.Body)
		}
	}
}

// ErrorHandler leaves an answer alone that has begun.
func TestErrorHandlerAfterAnswer(t *testing.T) {
	t.Parallel()
	e := echo.New()
	w := httptest.NewRecorder()
	c := e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), w)
	_ = c.String(200, "done")
	runtime.ErrorHandler(errors.New("late"), c)
	if w.Code != 200 || w.Body.String() != "done" {
		t.Errorf("got %d %q", w.Code, w.Body)
	}
}

// ErrorHandlerTo logs to its own log what the client is not told.
func TestErrorHandlerTo(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	e := echo.New()
	e.HTTPErrorHandler = runtime.ErrorHandlerTo(slog.New(slog.NewTextHandler(&log, nil)))
	e.GET("/", func(echo.Context) error { return errors.New("the disk is full") })
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != 500 || strings.Contains(w.Body.String(), "disk") || !strings.Contains(log.String(), "the disk is full") {
		t.Errorf("got %d %q, and the log %q", w.Code, w.Body, &log)
	}
}
