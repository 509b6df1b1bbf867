package specwatch

import (
	"context"
	"net/http"
	"sync"
	"testing"
)

// shown is how many violations a test is told of. A fault that every answer has
// must not bury what else there is.
const shown = 20

// findings hold the exchanges of a test against the document, and fail the test at
// the first sight of each violation.
type findings struct {
	t    testing.TB
	book *book

	mu      sync.Mutex
	seen    map[Violation]bool
	watched int // exchanges of operations
}

func newFindings(t testing.TB) *findings {
	t.Helper()
	b, err := theBook()
	if err != nil {
		t.Fatal(err)
	}
	return &findings{t: t, book: b, seen: map[Violation]bool{}}
}

// add looks into an exchange. It tells the path without its query, and of bodies
// and headers no value, so that no secret gets into a log.
func (f *findings) add(ctx context.Context, x exchange) {
	violations := f.book.check(ctx, x)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watched++
	for _, v := range violations {
		if f.seen[v] {
			continue
		}
		f.seen[v] = true
		switch n := len(f.seen); {
		case n <= shown:
			f.t.Errorf("not as the specification says: %s %s: %s", x.request.Method, rawPath(x.request), v)
		case n == shown+1:
			f.t.Errorf("and there is more that is not as the specification says")
		}
	}
}

// count is how many exchanges were looked into.
func (f *findings) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.watched
}

// exchange is a request and its response, with their bodies.
type exchange struct {
	request *http.Request
	sent    []byte
	// unsent is a body that the server answered, or the client gave up, before it
	// had come to its end.
	unsent   bool
	status   int
	header   http.Header
	received []byte
}
