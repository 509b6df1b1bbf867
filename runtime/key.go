package runtime

import (
	"net/http"
	"time"
)

// keyLength is the length of a UUID in its one canonical spelling.
const keyLength = 36

// parseKey checks the values of the key header and returns the key in lower
// case, so that spellings that differ in case are one key (RFC 9562 section 4).
// Anything but one UUIDv7 in 8-4-4-4-12 form with hyphens is a 400; anyVersion
// lets other versions pass and nothing else.
//
// The stock parsers accept braces, urn:uuid: and undashed forms too. Two of those
// would be two keys for one request, so they are refused here.
func parseKey(header string, values []string, anyVersion bool) (string, error) {
	if len(values) != 1 {
		return "", badKey(header, "must be sent once")
	}
	key := values[0]
	if len(key) != keyLength {
		return "", badKey(header, "must be a UUID of 36 characters")
	}
	upper := false
	for i := range keyLength {
		ch := key[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if ch != '-' {
				return "", badKey(header, "must be a UUID in the form 8-4-4-4-12 with hyphens")
			}
		case '0' <= ch && ch <= '9' || 'a' <= ch && ch <= 'f':
		case 'A' <= ch && ch <= 'F':
			upper = true
		default:
			return "", badKey(header, "must hold hexadecimal digits and hyphens only")
		}
	}
	if key[14] != '7' && !anyVersion {
		return "", badKey(header, "must be a UUID of version 7")
	}
	if variant := unhex(key[19]); variant&0b1100 != 0b1000 {
		return "", badKey(header, "must be a UUID of the RFC 9562 variant")
	}
	if upper {
		key = lowerKey(key)
	}
	return key, nil
}

// lowerKey needs no Unicode: a key that passed the checks is ASCII.
func lowerKey(key string) string {
	var lower [keyLength]byte
	for i := range keyLength {
		lower[i] = key[i]
		if 'A' <= key[i] && key[i] <= 'F' {
			lower[i] += 'a' - 'A'
		}
	}
	return string(lower[:])
}

// keyTime returns the instant that a canonical UUIDv7 carries in its first 48
// bits. The client's clock wrote it, so it is a hint and decides nothing. Other
// versions carry none.
func keyTime(key string) (time.Time, bool) {
	if key[14] != '7' {
		return time.Time{}, false
	}
	var millis int64
	for i := range 13 {
		if i != 8 {
			millis = millis<<4 | int64(unhex(key[i]))
		}
	}
	return time.UnixMilli(millis), true
}

func unhex(ch byte) byte {
	switch {
	case ch <= '9':
		return ch - '0'
	case ch <= 'F':
		return ch - 'A' + 10
	}
	return ch - 'a' + 10
}

func badKey(header, what string) *Error {
	return Errorf(http.StatusBadRequest, "", "%s %s", header, what)
}
