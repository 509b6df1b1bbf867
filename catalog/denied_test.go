package catalog_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	iceio "github.com/apache/iceberg-go/io"

	"github.com/onceberg/onceberg/catalog"
)

// guarded is a bucket of S3's to which the server has no right until it is granted.
type guarded struct {
	*iceio.MemFS
	granted *atomic.Bool
}

type accessDenied struct{}

func (accessDenied) Error() string     { return "AccessDenied: arn:aws:iam::1:user/secret" }
func (accessDenied) ErrorCode() string { return "AccessDenied" }

func (g guarded) Open(name string) (iceio.File, error) {
	if !g.granted.Load() {
		return nil, accessDenied{}
	}
	return g.MemFS.Open(name)
}

// A right that the server lacks is not the client's fault, and coming back at once
// does not help. Nothing was changed, so that the same request succeeds when the
// right is there, under the same key.
func TestServerHasNoRight(t *testing.T) {
	t.Parallel()
	for i, mode := range modes {
		scheme := "guarded" + string(rune('a'+i))
		bucket := guarded{iceio.NewMemFS(), new(atomic.Bool)}
		iceio.Register(scheme, func(context.Context, *url.URL, map[string]string) (iceio.IO, error) { return bucket, nil })
		t.Cleanup(func() { iceio.Unregister(scheme) })
		s := listen(t, complete(t, catalog.Config{}, dsns["sqlite"](t)), mode).withNamespace()
		for _, request := range []struct{ path, body string }{
			{pathOf("ns") + "/tables", `{"name":"t","location":"` + scheme + `://b/t","schema":` + idSchema + `}`},
			{tablePath("t"), setProperty("a", "b")},
		} {
			key := newKey()
			bucket.granted.Store(false)
			a := s.do(http.MethodPost, request.path, request.body, key...)
			if a.status != 500 || !strings.HasSuffix(a.message(), "this server has no right to") || strings.Contains(a.text, "secret") {
				t.Fatalf("%q, %s: %d %s", mode, request.body, a.status, a.text)
			}
			bucket.granted.Store(true)
			s.must(200, s.do(http.MethodPost, request.path, request.body, key...))
		}
	}
}
