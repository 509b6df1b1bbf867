package auth_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/cmd/server/auth"
	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock stands still until it is moved.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(by)
}

func writeFile(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	rewrite(t, path, content)
	return path
}

func rewrite(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// door is what stands behind Authenticate: it tells who came.
type door struct {
	t testing.TB
	*auth.Auth
	handler http.Handler
}

func open(t testing.TB, s settings.Auth, now func() time.Time) door {
	t.Helper()
	a, err := auth.Open(s, now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return behind(t, a)
}

func behind(t testing.TB, a *auth.Auth) door {
	t.Cleanup(a.Close)
	e := echo.New()
	e.HTTPErrorHandler = runtime.ErrorHandler
	e.GET("/", func(c echo.Context) error {
		return c.String(http.StatusOK, runtime.Principal(c.Request().Context()))
	}, a.Authenticate)
	return door{t, a, e}
}

// knock returns the status and who came, or the message why not.
func (d door) knock(token string) (status int, text string, header http.Header) {
	d.t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	text = w.Body.String()
	if token != "" && strings.Contains(text, token) {
		d.t.Errorf("the answer quotes the token: %s", text)
	}
	if w.Code != http.StatusOK {
		var body struct{ Error struct{ Message string } }
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			d.t.Errorf("%s: %v", text, err)
		}
		text = body.Error.Message
	}
	return w.Code, text, w.Header()
}
