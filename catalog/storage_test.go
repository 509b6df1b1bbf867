package catalog_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	iceio "github.com/apache/iceberg-go/io"

	"github.com/onceberg/onceberg/catalog"
)

// flaky is an object store that can be switched off, and told to be slow: then it
// says that a file is asked for, and waits.
type flaky struct {
	*iceio.MemFS
	off  *atomic.Bool
	slow *atomic.Pointer[slowness]
}

type slowness struct{ asked, over chan struct{} }

var errOff = errors.New("dial secret-key@10.0.0.1: refused")

func (f flaky) Open(name string) (iceio.File, error) {
	if f.off.Load() {
		return nil, errOff
	}
	if s := f.slow.Load(); s != nil {
		s.asked <- struct{}{}
		<-s.over
	}
	return f.MemFS.Open(name)
}

func (f flaky) WriteFile(name string, content []byte) error {
	if f.off.Load() {
		return errOff
	}
	return f.MemFS.WriteFile(name, content)
}

// buckets is one flaky store per bucket.
var buckets sync.Map

func bucketOf(name string) flaky {
	one, _ := buckets.LoadOrStore(name, flaky{iceio.NewMemFS(), new(atomic.Bool), new(atomic.Pointer[slowness])})
	return one.(flaky)
}

var registerFlaky = sync.OnceFunc(func() {
	iceio.Register("flaky", func(_ context.Context, root *url.URL, _ map[string]string) (iceio.IO, error) {
		return bucketOf(root.Host), nil
	})
})

// While its storage is out of reach a table can be neither created nor committed
// to nor loaded. That is a 503 which nothing came of, so that the same request
// succeeds afterwards, under the same key.
func TestStorageOutOfReach(t *testing.T) {
	registerFlaky()
	everywhere(t, func(t *testing.T, s server) {
		s.withNamespace()
		name := strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))
		bucket := bucketOf(name)
		for _, request := range []struct{ path, body string }{
			{pathOf("ns") + "/tables", `{"name":"t","location":"flaky://` + name + `/t","schema":` + idSchema + `}`},
			{tablePath("t"), setProperty("a", "b")},
			{tablePath("t"), `{"requirements":[],"updates":[{"action":"set-location","location":"flaky://` + name + `/other"}]}`},
		} {
			key := newKey()
			bucket.off.Store(true)
			a := s.do(http.MethodPost, request.path, request.body, key...)
			if a.status != 503 || a.header.Get("Retry-After") == "" || !strings.HasPrefix(a.message(), "ServiceUnavailableException: Cannot ") ||
				!strings.Contains(a.text, "flaky://"+name) || strings.Contains(a.text, "secret-key") {
				t.Fatalf("%s: %d %v %s", request.body, a.status, a.header, a.text)
			}
			bucket.off.Store(false)
			s.must(200, s.do(http.MethodPost, request.path, request.body, key...))
		}
		bucket.off.Store(true)
		s.must(503, s.do(http.MethodGet, tablePath("t"), ""))
		bucket.off.Store(false)
		s.must(200, s.do(http.MethodGet, tablePath("t"), ""))
	})
}

// A location that nothing here can write to is the client's fault. No file is left
// there, and none is said to be.
func TestLocationOfNoScheme(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		var log lines
		config := catalog.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}
		s := listen(t, complete(t, config, dsns["sqlite"](t)), mode).withNamespace()
		s.must(200, s.createTable("t"))
		for _, location := range []string{"gopher://x/y", "relative", "mem://x/y"} {
			create := s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"n","location":"`+location+`","schema":`+idSchema+`}`, newKey()...)
			commit := s.do(http.MethodPost, tablePath("t"), `{"requirements":[],"updates":[{"action":"set-location","location":"`+location+`"}]}`, newKey()...)
			if create.status != 400 || commit.status != 400 {
				t.Errorf("%s: %s, %s", location, create.text, commit.text)
			}
		}
		if text := log.String(); text != "" {
			t.Errorf("the operator is told: %s", text)
		}
	}
}

// lines is a log that many write to.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
