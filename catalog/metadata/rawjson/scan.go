package rawjson

import "errors"

// errTruncated is returned when the text ends, or stops being JSON, in the middle of a value.
var errTruncated = errors.New("the JSON text is broken off or malformed")

// skipSpace returns the index of the first byte at or after i that is not white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i, or -1 when it does not end.
func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// skipValue returns the index after the value that begins at i, or -1 when there is none or it does not end.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	case ',', ':', '}', ']':
		return -1
	}
	for i < len(b) && !endsScalar(b[i]) {
		i++
	}
	return i
}

// skipNested returns the index after the object or array that begins at i, or -1 when it does not end.
func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

func endsScalar(c byte) bool {
	switch c {
	case ',', ':', '}', ']', ' ', '\n', '\r', '\t':
		return true
	}
	return false
}

// eachMember calls visit with the quoted key and the value of every member of the object in b, until visit returns
// false.
func eachMember(b []byte, visit func(key, value []byte) bool) error {
	return each(b, '{', '}', func(i int) (int, bool) {
		if i >= len(b) || b[i] != '"' {
			return -1, false
		}
		keyEnd := skipString(b, i)
		if keyEnd < 0 {
			return -1, false
		}
		colon := skipSpace(b, keyEnd)
		if colon >= len(b) || b[colon] != ':' {
			return -1, false
		}
		start := skipSpace(b, colon+1)
		end := skipValue(b, start)
		if end < 0 {
			return -1, false
		}
		return end, visit(b[i:keyEnd], b[start:end])
	})
}

// eachElement calls visit with every element of the array in b.
func eachElement(b []byte, visit func(value []byte)) error {
	return each(b, '[', ']', func(i int) (int, bool) {
		end := skipValue(b, i)
		if end >= 0 {
			visit(b[i:end])
		}
		return end, true
	})
}

// each walks the comma-separated items between open and shut. The item function gets an item's start and returns its
// end, or -1 when it is malformed, and whether to go on.
func each(b []byte, open, shut byte, item func(i int) (end int, more bool)) error {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != open {
		return errTruncated
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == shut {
		return nil
	}
	for {
		end, more := item(i)
		if end < 0 {
			return errTruncated
		}
		if !more {
			return nil
		}
		i = skipSpace(b, end)
		if i >= len(b) {
			return errTruncated
		}
		switch b[i] {
		case shut:
			return nil
		case ',':
			i = skipSpace(b, i+1)
		default:
			return errTruncated
		}
	}
}
