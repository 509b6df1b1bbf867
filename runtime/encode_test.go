package runtime_test

import (
	"encoding/json"
	"io"
	"math"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/runtime"
)

func TestWriteJSON(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	if err := runtime.WriteJSON(w, 202, "application/json", map[string]any{"a": "<&>\u2028", "n": json.Number("9007199254740993")}); err != nil {
		t.Fatal(err)
	}
	if want := `{"a":"<&>\u2028","n":9007199254740993}` + "\n"; w.Code != 202 || w.Body.String() != want || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	// What cannot be encoded is an error, and not half an answer.
	w = httptest.NewRecorder()
	if err := runtime.WriteJSON(w, 200, "application/json", []any{1, math.Inf(1)}); err == nil || w.Body.Len() > 0 || len(w.Header()) > 0 {
		t.Errorf("%v, %v, %q", err, w.Header(), w.Body)
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestWriteTextAndStream(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	if err := runtime.WriteText(w, 200, "text/plain; charset=utf-8", "ü"); err != nil || w.Body.String() != "ü" {
		t.Errorf("%v, %q", err, w.Body)
	}
	body := &closing{Reader: strings.NewReader("bytes")}
	w = httptest.NewRecorder()
	if err := runtime.WriteStream(w, 200, "application/octet-stream", body); err != nil || w.Body.String() != "bytes" || !body.closed {
		t.Errorf("%v, %q, closed %t", err, w.Body, body.closed)
	}
	w = httptest.NewRecorder()
	if err := runtime.WriteStream(w, 204, "image/png", nil); err != nil || w.Code != 204 || w.Body.Len() > 0 {
		t.Errorf("%v, %d", err, w.Code)
	}
}

func TestSetHeader(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	w.Header().Set("Etag", "old")
	text := "pointed at"
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"ETag": {`"v1"`, `"v1"`}, "X-Count": {int64(7), "7"}, "X-Flag": {true, "true"}, "X-List": {[]string{"a", "b"}, "a,b"},
		"X-Numbers": {[]int64{1, 2}, "1,2"}, "X-Pointer": {&text, text}, "X-Exact": {json.Number("1.50"), "1.50"}, "X-Empty": {[]string{}, ""},
	} {
		runtime.SetHeader(w, name, c.value)
		if got := w.Header()[name]; len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if _, stale := w.Header()["Etag"]; stale {
		t.Error("two spellings of one header")
	}
	if err := runtime.NoResponse(&runtime.Operation{ID: "x"}); err == nil || !strings.Contains(err.Error(), "x returned no response") {
		t.Error(err)
	}
}
