package catalog

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/onceberg/onceberg/runtime"
)

// unitSeparator joins levels where nothing else is agreed on, and always may.
const (
	unitSeparator        = "\x1f"
	encodedUnitSeparator = "%1F"
)

// separator joins the levels of a namespace, encoded in a path and decoded in
// the query.
type separator struct{ encoded, decoded string }

func newSeparator(encoded string) (separator, error) {
	if encoded == "" {
		encoded = encodedUnitSeparator
	}
	decoded, err := url.QueryUnescape(encoded)
	if err != nil || strings.ContainsAny(encoded, "/?# ") {
		return separator{}, fmt.Errorf("catalog: the separator %q is not URL-encoded text", encoded)
	}
	if strings.ContainsFunc(decoded, partOfNames) {
		return separator{}, fmt.Errorf("catalog: the separator %q must not hold a letter, a digit or a slash: ordinary names hold them", encoded)
	}
	return separator{encoded: upperEscapes(encoded), decoded: decoded}, nil
}

// CheckSeparator returns the error that [New] has for a Config.Separator.
func CheckSeparator(encoded string) error {
	_, err := newSeparator(encoded)
	return err
}

// partOfNames are characters of which a separator would cut ordinary names in
// two, or a path.
func partOfNames(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '/' }

func (s separator) isDefault() bool { return s.decoded == unitSeparator }

// fromPath reads the namespace of a request's path.
func (s separator) fromPath(ctx context.Context) (levels, error) {
	return s.fromSegment(runtime.RawPathValue(ctx, "namespace"))
}

// fromSegment reads a namespace from a segment of a path. It splits it as it was
// sent: once decoded, a level's own characters could be taken for the separator.
func (s separator) fromSegment(raw string) (levels, error) {
	raw = upperEscapes(raw)
	by := s.encoded
	if strings.Contains(raw, encodedUnitSeparator) {
		by = encodedUnitSeparator
	}
	var name levels
	for part := range strings.SplitSeq(raw, by) {
		level, err := url.QueryUnescape(part)
		if err != nil {
			return nil, badRequest("Path parameter namespace is not validly encoded: %q", raw)
		}
		name = append(name, level)
	}
	if err := name.check(); err != nil {
		return nil, err
	}
	return name, nil
}

// fromQuery reads a namespace from a query value, which is decoded already.
// Absent and empty both mean the root.
func (s separator) fromQuery(value *string) (levels, error) {
	if value == nil || *value == "" {
		return nil, nil
	}
	by := s.decoded
	if strings.Contains(*value, unitSeparator) {
		by = unitSeparator
	}
	name := levels(strings.Split(*value, by))
	if err := name.check(); err != nil {
		return nil, err
	}
	return name, nil
}

// upperEscapes spells percent escapes in upper case, so that %1f is %1F.
func upperEscapes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	upper := []byte(s)
	for i := 0; i+2 < len(upper); i++ {
		if upper[i] == '%' {
			copy(upper[i+1:], strings.ToUpper(s[i+1:i+3]))
			i += 2
		}
	}
	return string(upper)
}
