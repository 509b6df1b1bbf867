package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// excerptSize is how much of a body a report shows.
const excerptSize = 240

// secretFields are the parts of answers that may hold credentials, or are made
// afresh for each answer.
var secretFields = []string{"config", "storage-credentials", "remote-signing-config", "access_token", "refresh_token"}

// String says what an answer was, for a finding.
func (a answer) String() string {
	if a.err != nil && a.status == 0 {
		return a.err.Error()
	}
	text := fmt.Sprintf("%d %s", a.status, http.StatusText(a.status))
	if kind, message := a.problem(); kind != "" || message != "" {
		text += fmt.Sprintf(" (%s: %s)", kind, cut(message, excerptSize/2))
	} else if body := excerpt(a.body); body != "" && len(body) <= excerptSize/2 {
		text += " " + body
	}
	if after := a.header.Get("Retry-After"); after != "" {
		text += ", Retry-After " + after
	}
	if a.err != nil {
		text += ", then " + a.err.Error()
	}
	return text
}

// problem is an error's type and message.
func (a answer) problem() (kind, message string) {
	var body struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal(a.body, &body) // what is no JSON has neither
	return body.Error.Type, body.Error.Message
}

// fields is the body as an object; nil when it is none.
func (a answer) fields() map[string]any {
	fields, _ := decode(a.body).(map[string]any)
	return fields
}

// field is a text of the body, found by the names on the way to it.
func (a answer) field(names ...string) string {
	var at any = a.fields()
	for _, name := range names {
		object, _ := at.(map[string]any)
		at = object[name]
	}
	text, _ := at.(string)
	return text
}

// decode reads JSON without rounding its numbers; nil is no JSON.
func decode(body []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

// encode writes what the kit itself has put together.
func encode(value any) []byte {
	if text, ok := value.(string); ok {
		return []byte(text)
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("conformance: a body that is no JSON: %v", err)) // the kit's own mistake
	}
	return text
}

// public is a decoded body without what may be secret.
func public(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	for _, name := range secretFields {
		delete(object, name)
	}
	return object
}

// excerpt is the beginning of a body, on one line and without secrets.
func excerpt(body []byte) string {
	if value := decode(body); value != nil {
		body = encode(public(value))
	}
	return cut(strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "?")), " "), excerptSize)
}

func cut(text string, size int) string {
	if len(text) <= size {
		return text
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size] + "…"
}
