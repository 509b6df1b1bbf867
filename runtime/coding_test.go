package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

// A body is taken as it was sent. One that claims a content coding is refused,
// compressed or not, and nothing runs and nothing is recorded.
func TestContentCoding(t *testing.T) {
	t.Parallel()
	ran := 0
	d := newDesk(t, func(c echo.Context) error {
		var body map[string]any
		if _, err := runtime.DecodeJSON(c, nil, "", true, &body); err != nil {
			return err
		}
		ran++
		return answers(http.StatusOK, `{}`)(c)
	})
	for _, test := range []struct {
		codings []string
		status  int
	}{
		{nil, http.StatusOK},
		{[]string{""}, http.StatusOK},
		{[]string{"Identity"}, http.StatusOK},
		{[]string{"identity, identity", "identity"}, http.StatusOK},
		{[]string{"gzip"}, http.StatusUnsupportedMediaType},
		{[]string{"GZIP"}, http.StatusUnsupportedMediaType},
		{[]string{"identity,br"}, http.StatusUnsupportedMediaType},
		{[]string{"identity", " zstd "}, http.StatusUnsupportedMediaType},
	} {
		header := http.Header{"Content-Encoding": test.codings}
		for _, key := range []string{"", newKey()} {
			before := ran
			a := d.send(request{key: key, header: header})
			if test.status == http.StatusOK {
				a.is(http.StatusOK, `{}`)
				continue
			}
			a.fails(test.status, "UnsupportedMediaTypeException")
			if ran != before {
				t.Errorf("%q: the body was used", test.codings)
			}
			if key == "" {
				continue
			}
			if _, err := d.store.Load(t.Context(), key); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%q: the key was taken: %v", test.codings, err)
			}
			d.send(request{key: key}).is(http.StatusOK, `{}`).replayed(false)
		}
	}
}

// A request without a body has no coding either.
func TestContentCodingOfNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(http.StatusNoContent, ""))
	header := http.Header{"Content-Encoding": {"gzip"}}
	d.send(request{method: http.MethodDelete, path: tableT, key: newKey(), header: header}).is(http.StatusNoContent, "")
}

// The hook that authorizes gets to see no such body.
func TestContentCodingBeforeAuthorize(t *testing.T) {
	t.Parallel()
	d := newDesk(t, answers(http.StatusOK, `{}`), func(cfg *runtime.Config) {
		cfg.Authorize = func(_ context.Context, r *runtime.Request) error {
			_, err := r.Body()
			return err
		}
	})
	d.send(request{header: http.Header{"Content-Encoding": {"gzip"}}}).fails(http.StatusUnsupportedMediaType, "UnsupportedMediaTypeException")
	d.ran(0)
}
