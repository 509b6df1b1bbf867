package conformance

import (
	"fmt"
	"testing"
	"unicode/utf8"
)

// Whatever a server answers, the kit can show it on a line, and holds it for
// equivalent to itself.
func FuzzAnswer(f *testing.F) {
	f.Add(200, []byte(`{"metadata-location":"s3://x","config":{"token":"t"},"metadata":{"a":[1,2.50,1e400]}}`))
	f.Add(409, []byte(`{"error":{"type":"AlreadyExistsException","message":"`+"\xc3\xa9"+`","code":409}}`))
	f.Add(500, []byte("<html>\n\x80\x80</html>"))
	f.Add(204, []byte(nil))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		a := answer{status: status, body: body}
		for _, text := range []string{a.String(), excerpt(body), cut(string(body), 7)} {
			if utf8.Valid(body) && !utf8.ValidString(text) {
				t.Errorf("%q is no UTF-8", text)
			}
		}
		if len(excerpt(body)) > excerptSize+len("…") {
			t.Errorf("the excerpt has %d bytes", len(excerpt(body)))
		}
		if place := differ(a, answer{status: status, body: body}); place != "" {
			t.Errorf("it differs from itself: %s", place)
		}
		_ = fmt.Sprint(a.fields(), a.field("metadata", "table-uuid"))
	})
}
