package runtime

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads a text that is known to be valid JSON. What it does with another
// is not defined, but it stays within the text.
type scanner struct {
	text []byte
	pos  int
}

// span is a part of a text.
type span struct{ start, end int }

// kind is the type of the value that follows; an integer is a number without
// fraction and exponent.
func (s *scanner) kind() JSONType {
	s.space()
	if s.pos == len(s.text) {
		return JSONNull
	}
	switch s.text[s.pos] {
	case '{':
		return JSONObject
	case '[':
		return JSONArray
	case '"':
		return JSONString
	case 't', 'f':
		return JSONBoolean
	case 'n':
		return JSONNull
	}
	for _, ch := range s.text[s.pos:] {
		switch {
		case ch == '.' || ch == 'e' || ch == 'E':
			return JSONNumber
		case ch != '-' && (ch < '0' || ch > '9'):
			return JSONInteger
		}
	}
	return JSONInteger
}

// fitsInt64 reports whether the integer that follows is no larger than an int64,
// which is what integers are decoded to.
func (s *scanner) fitsInt64() bool {
	digits := *s
	digits.skip()
	text := s.text[s.pos:digits.pos]
	if len(text) <= 18 {
		return true
	}
	_, err := strconv.ParseInt(string(text), 10, 64)
	return err == nil
}

func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\n', '\t', '\r':
			s.pos++
		default:
			return
		}
	}
}

// enter steps into the object or array that follows, and reports whether there
// is something in it.
func (s *scanner) enter() bool {
	s.space()
	s.pos++
	return !s.closes()
}

// next steps behind the comma that follows, or behind the end of the object or
// array; then it reports false.
func (s *scanner) next() bool {
	if s.closes() {
		return false
	}
	s.pos++
	return true
}

// comma is where the comma that follows stands, if one does.
func (s *scanner) comma() span {
	s.space()
	if s.pos < len(s.text) && s.text[s.pos] == ',' {
		return span{s.pos, s.pos + 1}
	}
	return span{}
}

func (s *scanner) closes() bool {
	s.space()
	if s.pos >= len(s.text) {
		s.pos = len(s.text)
		return true
	}
	if s.text[s.pos] == '}' || s.text[s.pos] == ']' {
		s.pos++
		return true
	}
	return false
}

// name steps behind a member's name and colon.
func (s *scanner) name() span {
	name := s.string()
	s.space()
	s.pos = min(s.pos+1, len(s.text))
	return name
}

// string steps behind a string and gives what stands between its quotes.
func (s *scanner) string() span {
	s.space()
	start := min(s.pos+1, len(s.text))
	for s.pos = start; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case '"':
			s.pos++
			return span{start, s.pos - 1}
		case '\\':
			s.pos++
		}
	}
	s.pos = len(s.text)
	return span{start, s.pos}
}

// skip steps behind the value that follows.
func (s *scanner) skip() {
	s.space()
	for depth := 0; s.pos < len(s.text); {
		switch s.text[s.pos] {
		case '"':
			s.string()
		case '{', '[':
			depth++
			s.pos++
		case '}', ']':
			depth--
			s.pos++
		default:
			s.pos++
			if depth == 0 && !s.ends() {
				continue
			}
		}
		if depth <= 0 {
			return
		}
	}
}

// ends reports whether a number or word ends here.
func (s *scanner) ends() bool {
	if s.pos == len(s.text) {
		return true
	}
	switch s.text[s.pos] {
	case ',', '}', ']', ' ', '\n', '\t', '\r':
		return true
	}
	return false
}

// halfSurrogate finds an escape that stands for half a character, which decoding
// would replace by another: two names that differ would then be one.
func halfSurrogate(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			return false
		}
		text = text[i:]
		if text[1] != 'u' {
			text = text[2:]
			continue
		}
		first := escaped(text)
		text = text[6:]
		if !utf16.IsSurrogate(first) {
			continue
		}
		if utf16.DecodeRune(first, escaped(text)) == utf8.RuneError {
			return true
		}
		text = text[6:]
	}
}

// escaped is the rune of an escape that text begins with, or -1.
func escaped(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	code, err := strconv.ParseUint(string(text[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(code)
}

func isNull(value []byte) bool { return string(bytes.TrimSpace(value)) == "null" }
