package specwatch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Bodies beyond these bounds go past the filter, which would take a copy of the
// value and look into it twice at each level of a schema that contains itself. The
// schemas themselves, asked without the filter's request and response modes, look
// once; what the modes tell apart, read-only and write-only properties, is gone by
// an amendment or was never there.
const (
	filterDepth = 4
	filterSize  = 4 << 10
)

// maxSize is how long a body may be to be looked into at all.
const maxSize = 1 << 20

var errUnspecified = errors.New("the operation has no body")

func large(body []byte) bool { return len(body) > filterSize || depth(body) > filterDepth }

// checkLarge does by hand what the filter does with a body.
func checkLarge(content openapi3.Content, header http.Header, body []byte, options []openapi3.SchemaValidationOption) error {
	if len(content) == 0 || len(body) > maxSize {
		return nil
	}
	media := content.Get(header.Get("Content-Type"))
	switch {
	case media == nil:
		return fmt.Errorf("the document has no body of the type %q", header.Get("Content-Type"))
	case media.Schema == nil || !strings.Contains(header.Get("Content-Type"), "json"):
		return nil
	}
	value, err := decode(body)
	if err != nil {
		return err
	}
	return media.Schema.Value.VisitJSON(value, options...)
}

// decode reads one value of JSON, as the filter does.
func decode(body []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, fmt.Errorf("the body is no JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is something behind the body")
	}
	return value, nil
}

// depth is how deep a JSON text is nested. Braces in strings count, too.
func depth(text []byte) int {
	deepest, now := 0, 0
	for _, c := range text {
		switch c {
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		}
	}
	return deepest
}
