package sqlstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// encodeHeader writes headers as a JSON object of lists, names spelled as they
// are. Values are bytes, not text (RFC 9110, section 5.5), and JSON is text, so
// each byte becomes the character of the same number, as ISO-8859-1 has it:
// ASCII reads as itself and everything else survives.
func encodeHeader(header http.Header) (string, error) {
	text := make(map[string][]string, len(header))
	for name, values := range header {
		list := make([]string, len(values))
		for i, value := range values {
			list[i] = widen(value)
		}
		text[widen(name)] = list
	}
	b, err := json.Marshal(text)
	if err != nil {
		return "", fmt.Errorf("encode the response headers: %w", err)
	}
	return string(b), nil
}

// decodeHeader reads what encodeHeader wrote.
func decodeHeader(text string) (http.Header, error) {
	var lists map[string][]string
	if err := json.Unmarshal([]byte(text), &lists); err != nil {
		return nil, errors.New("not a JSON object of lists of strings")
	}
	if lists == nil {
		return nil, errors.New("null")
	}
	header := make(http.Header, len(lists))
	for wide, list := range lists {
		name, ok := narrow(wide)
		if !ok {
			return nil, errors.New("a name with a character beyond a byte")
		}
		values := make([]string, len(list))
		for i, value := range list {
			if values[i], ok = narrow(value); !ok {
				return nil, errors.New("a value with a character beyond a byte")
			}
		}
		header[name] = values
	}
	return header, nil
}

// widen turns each byte into the character of the same number.
func widen(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// narrow turns each character into the byte of the same number, and reports
// whether there is one for all of them.
func narrow(s string) (string, bool) {
	if isASCII(s) {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
