package runtime_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
)

// case A18: the client hangs up, the handler runs to its end all the same, and
// the retry gets the outcome: status, body and headers.
func TestClientHangsUp(t *testing.T) {
	t.Parallel()
	began, hungUp, finished := make(chan struct{}), make(chan struct{}), make(chan struct{})
	d := newDesk(t, func(c echo.Context) error {
		close(began)
		<-hungUp
		ctx := c.Request().Context()
		select {
		case <-ctx.Done():
			t.Errorf("the handler's context ends with the connection: %v", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
		c.Response().Header().Set("ETag", `"7"`)
		c.Response().Header().Set("Location", "/t")
		defer close(finished)
		return c.JSONBlob(202, []byte(`{"made":true}`))
	})
	gone := make(chan struct{})
	once := sync.OnceFunc(func() { close(gone) })
	d.echo.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			context.AfterFunc(c.Request().Context(), once)
			return next(c)
		}
	})
	server := httptest.NewServer(d.echo)
	defer server.Close()
	key := newKey()

	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	text := `{"name":"t"}`
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s",
		tables, key, len(text), text)
	<-began
	_ = conn.Close()
	<-gone
	close(hungUp)
	<-finished

	for range 2 {
		request, _ := http.NewRequest(http.MethodPost, server.URL+tables, strings.NewReader(text))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set(keyHeader, key)
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := bufio.NewReader(response.Body).ReadString(0)
		_ = response.Body.Close()
		h := response.Header
		if response.StatusCode != 202 || body != `{"made":true}` || h.Get("Location") != "/t" || h.Get("ETag") != `"7"` {
			t.Errorf("got %d %q %v", response.StatusCode, body, h)
		}
		if h.Get("Idempotency-Replayed") != "true" {
			t.Errorf("header %v; want a replay", h)
		}
	}
	d.ran(1)
}
