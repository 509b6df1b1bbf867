package runtime

import (
	"bytes"
	"encoding/json"
	"strings"
)

// cutSecrets returns the body without the fields that must not be stored, as it
// is when it holds none. It reports false when it cannot tell, because the body
// is not a JSON object: then nothing of it may be stored.
func cutSecrets(body []byte, secrets []Secret) (safe []byte, ok bool) {
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) == 0 || text[0] != '{' || !json.Valid(body) {
		return nil, false
	}
	value, changed := json.RawMessage(body), false
	for _, secret := range secrets {
		cut, did := cutAt(value, pointerSegments(secret.Pointer), secret.Entries)
		if did {
			value, changed = cut, true
		}
	}
	if !changed {
		return body, true
	}
	return value, true
}

// pointerSegments splits a JSON pointer (RFC 6901).
func pointerSegments(pointer string) []string {
	segments := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, segment := range segments {
		segments[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(segment)
	}
	return segments
}

// cutAt follows the segments into a value and cuts what they lead to. All that
// it does not cut keeps its text.
func cutAt(value json.RawMessage, segments []string, entries bool) (json.RawMessage, bool) {
	if isArray(value) && segments[0] == "*" {
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) != nil {
			return value, false
		}
		return cutElements(value, elements, segments, entries)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return value, false
	}
	changed := false
	for name, member := range members {
		if segments[0] != "*" && segments[0] != name {
			continue
		}
		switch {
		case len(segments) > 1:
			if cut, did := cutAt(member, segments[1:], entries); did {
				members[name], changed = cut, true
			}
		case entries && isObject(member):
			if cut, did := cutEntries(member); did {
				members[name], changed = cut, true
			}
		case !isNull(member):
			delete(members, name)
			changed = true
		}
	}
	return encodeCut(value, members, changed)
}

// cutElements is cutAt for the elements of an array. A secret element leaves
// null, so that the others keep their places.
func cutElements(value json.RawMessage, elements []json.RawMessage, segments []string, entries bool) (json.RawMessage, bool) {
	changed := false
	for i, element := range elements {
		cut, did := json.RawMessage("null"), !isNull(element)
		switch {
		case len(segments) > 1:
			cut, did = cutAt(element, segments[1:], entries)
		case entries && isObject(element):
			cut, did = cutEntries(element)
		}
		if did {
			elements[i], changed = cut, true
		}
	}
	return encodeCut(value, elements, changed)
}

// cutEntries cuts the entries of a map of settings whose names tell of a secret.
func cutEntries(value json.RawMessage) (json.RawMessage, bool) {
	var entries map[string]json.RawMessage
	if json.Unmarshal(value, &entries) != nil {
		return value, false
	}
	changed := false
	for name := range entries {
		if bearsSecret(name) {
			delete(entries, name)
			changed = true
		}
	}
	return encodeCut(value, entries, changed)
}

func encodeCut(value json.RawMessage, cut any, changed bool) (json.RawMessage, bool) {
	if !changed {
		return value, false
	}
	return encodeJSON(cut), true
}

func isObject(value json.RawMessage) bool { return len(value) > 0 && value[0] == '{' }
func isArray(value json.RawMessage) bool  { return len(value) > 0 && value[0] == '[' }

// secretWords betray a setting that bears a secret, wherever they stand in its
// name. Cutting too much costs a setting at replay; cutting too little would put
// a credential into the database.
var secretWords = []string{
	"token", "secret", "password", "passwd", "passphrase", "credential", "private", "session", "signature", "bearer",
	"authorization", "accesskey", "accountkey", "sharedkey", "apikey", "encryptionkey", "decryptionkey", "signingkey",
	"ssekey",
}

// bearsSecret reports whether a setting of this name holds a secret, judging by
// the names that the object stores' clients use, such as s3.secret-access-key,
// gcs.oauth2.token or adls.sas-token.account.
func bearsSecret(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	joined := strings.Join(words, "")
	for _, word := range secretWords {
		if strings.Contains(joined, word) {
			return true
		}
	}
	for _, word := range words {
		if word == "sas" || word == "sig" || word == "jwt" || word == "pat" {
			return true
		}
	}
	return false
}
