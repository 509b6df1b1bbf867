package client

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// statusError reads a refusal. It is the catalog's if it has Iceberg's error form:
// an object "error" with a type, and a code that equals the status. A code that is
// a string, or is missing where the type names an exception, is let pass; proxies
// and ingresses answer in HTML, in plain text, or in JSON of another form.
func statusError(response *http.Response, text []byte) *StatusError {
	e := &StatusError{Status: response.StatusCode, Foreign: true}
	var body struct {
		Error struct {
			Message string          `json:"message"`
			Type    string          `json:"type"`
			Code    json.RawMessage `json:"code"`
		} `json:"error"`
	}
	plain, ok := decoded(response, text)
	if !ok || json.Unmarshal(plain, &body) != nil {
		return e
	}
	e.Type, e.Message = body.Error.Type, body.Error.Message
	switch code := strings.Trim(string(body.Error.Code), `"`); {
	case e.Type == "":
	case code == "" || code == "null":
		e.Foreign = !strings.HasSuffix(e.Type, "Exception")
	default:
		e.Foreign = code != strconv.Itoa(e.Status)
	}
	return e
}

// isJSON reports whether a success may be the catalog's: what it answers is JSON,
// or nothing. One that cannot be looked into is believed.
func isJSON(response *http.Response, text []byte) bool {
	plain, ok := decoded(response, text)
	plain = bytes.TrimSpace(plain)
	return !ok || len(plain) == 0 || json.Valid(plain)
}

// decoded takes the content coding off a body. There is one only if the caller
// asked for it; net/http takes off its own.
func decoded(response *http.Response, text []byte) (plain []byte, ok bool) {
	switch strings.ToLower(strings.TrimSpace(response.Header.Get("Content-Encoding"))) {
	case "", "identity":
		return text, true
	case "gzip", "x-gzip":
		packed, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, false
		}
		plain, err = io.ReadAll(io.LimitReader(packed, maxTrusted))
		return plain, err == nil && len(plain) < maxTrusted
	}
	return nil, false
}

// replayed reports whether the server answered from the record of an earlier
// attempt; nothing else would say so.
func replayed(response *http.Response) bool {
	return response.Header.Get("Idempotency-Replayed") == "true"
}
