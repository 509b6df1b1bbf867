package runtime

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/store"
)

// Kinds of body in a binding. A body of one kind never equals one of another.
const (
	bodyEmpty = 'E'
	bodyJSON  = 'J'
	bodyRaw   = 'R'
)

// bind computes what ties a key to this request: the operation, the decoded path
// values by name, the query, the body and the caller. Every part is written with
// its length and hashed as a whole, so that no two requests can share an
// encoding, as the namespaces ["a.b"] and ["a","b"] would when joined.
func bind(c echo.Context, op *Operation, body []byte) (store.Binding, error) {
	b := binders.Get().(*binder)
	defer b.free()
	r := c.Request()
	// The path as it came, even where net/url would not call it valid; see
	// rawPath. The readable form must be ASCII, since databases insist on UTF-8.
	escaped := r.URL.EscapedPath()
	raw := escaped
	if r.URL.RawPath != "" {
		raw = r.URL.RawPath
	}
	b.text(op.ID)
	if err := b.path(c.Path(), raw); err != nil {
		return store.Binding{}, err
	}
	b.query(r.URL.RawQuery)
	b.body(r.Header, body)
	return store.Binding{
		Operation: op.ID + " " + escaped,
		Principal: principalHash(Principal(r.Context())),
		Request:   sha256.Sum256(b.out),
	}, nil
}

// nobody is the hash of the caller that was not authenticated.
var nobody = store.Hash(sha256.Sum256(nil))

func principalHash(name string) store.Hash {
	if name == "" {
		return nobody
	}
	return sha256.Sum256([]byte(name))
}

// binder appends the parts of a binding to out.
type binder struct{ canonical }

var binders = sync.Pool{New: func() any { return new(binder) }}

// keptBuffer is up to which size a buffer is kept for the next request.
const keptBuffer = 256 << 10

// memberSize is what one element of canonical.members takes.
const memberSize = 3 * 8

func (b *binder) free() {
	if cap(b.out)+cap(b.scratch)+cap(b.members)*memberSize > keptBuffer {
		return
	}
	b.out = b.out[:0]
	binders.Put(b)
}

func (b *binder) text(s string) {
	b.out = binary.AppendUvarint(b.out, uint64(len(s)))
	b.out = append(b.out, s...)
}

// path appends name and decoded value of each path parameter. A route without
// the optional prefix has one parameter less and is another request.
func (b *binder) path(template, raw string) error {
	for more := true; more; {
		var want, got string
		want, template, more = strings.Cut(template, "/")
		got, raw, _ = strings.Cut(raw, "/")
		if !strings.HasPrefix(want, ":") {
			continue
		}
		value, err := url.QueryUnescape(got)
		if err != nil {
			return Errorf(http.StatusBadRequest, "", "Path parameter %s is not validly encoded: %q", want[1:], got)
		}
		b.out = append(b.out, 'p')
		b.text(want[1:])
		b.text(value)
	}
	return nil
}

// query appends the parameters in the order of their names; the values of one
// name keep theirs. What does not decode is compared as it was sent.
func (b *binder) query(raw string) {
	if raw == "" {
		return
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		b.out = append(b.out, 'Q')
		b.text(raw)
		return
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range values[name] {
			b.out = append(b.out, 'q')
			b.text(name)
			b.text(value)
		}
	}
}

func (b *binder) body(header http.Header, body []byte) {
	if len(body) == 0 {
		b.out = append(b.out, bodyEmpty)
		return
	}
	if isJSON(header) {
		b.out = append(b.out, bodyJSON)
		if b.json(body) {
			return
		}
		b.out = b.out[:len(b.out)-1]
	}
	digest := sha256.Sum256(body)
	b.out = append(append(b.out, bodyRaw), digest[:]...)
}

// isJSON reports whether a body may be read as JSON: its media type is one of
// JSON's, or none was given.
func isJSON(header http.Header) bool {
	values := header["Content-Type"]
	if len(values) == 0 || values[0] == "application/json" {
		return true
	}
	media, _, _ := strings.Cut(values[0], ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "" || media == "application/json" || strings.HasSuffix(media, "+json")
}
