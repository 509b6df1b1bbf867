package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/labstack/echo/v4"
)

// WriteJSON writes a response with a JSON body. The body is encoded before
// anything is sent, so that a value that cannot be encoded is an error and not
// half an answer. Lists and maps that are nil are sent as empty ones.
func WriteJSON(w http.ResponseWriter, status int, contentType string, body any) error {
	text, err := EncodeJSON(body)
	if err != nil {
		return err
	}
	return WriteBytes(w, status, contentType, text)
}

// EncodeJSON encodes a body as WriteJSON does, for an implementation that keeps
// its answers.
func EncodeJSON(body any) ([]byte, error) {
	text, err := MarshalJSON(body)
	if err != nil {
		return nil, fmt.Errorf("encoding the response: %w", err)
	}
	return append(text, '\n'), nil
}

// MarshalJSON encodes what stands in a body the way EncodeJSON encodes the whole.
// It differs from json.Marshal in that <, > and & stay as they are, and in that a
// list or a map that is nil is an empty one: documents that require it forbid the
// null, and where they admit null it has another Go type.
func MarshalJSON(value any) ([]byte, error) {
	text, err := marshal(value)
	if err != nil || !hasNull(text) {
		return text, err
	}
	if whole, changed := withLists(value); changed {
		return marshal(whole)
	}
	return text, nil
}

func marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), err
}

// WriteBytes writes a response with a body that is encoded already.
func WriteBytes(w http.ResponseWriter, status int, contentType string, body []byte) error {
	w.Header().Set(echo.HeaderContentType, contentType)
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}

// WriteText writes a response with a body of plain text.
func WriteText(w http.ResponseWriter, status int, contentType, body string) error {
	w.Header().Set(echo.HeaderContentType, contentType)
	w.WriteHeader(status)
	_, err := io.WriteString(w, body)
	return err
}

// WriteStream writes a response with a body that is passed on as it is, and
// closes it when it can be closed. A nil body is an empty one.
func WriteStream(w http.ResponseWriter, status int, contentType string, body io.Reader) error {
	if closer, ok := body.(io.Closer); ok {
		defer closer.Close()
	}
	w.Header().Set(echo.HeaderContentType, contentType)
	w.WriteHeader(status)
	if body == nil {
		return nil
	}
	_, err := io.Copy(w, body)
	return err
}

// SetHeader sets a response header under exactly the name given. net/http would
// send ETag as Etag, which Iceberg's Java client does not find. The elements of a
// list are separated by commas.
func SetHeader(w http.ResponseWriter, name string, value any) {
	header := w.Header()
	header.Del(name)
	header[name] = []string{headerText(reflect.ValueOf(value))}
}

func headerText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		elements := make([]string, v.Len())
		for i := range elements {
			elements[i] = headerText(v.Index(i))
		}
		return strings.Join(elements, ",")
	case reflect.Pointer:
		return headerText(v.Elem())
	}
	return fmt.Sprint(v)
}

// NoResponse is the error for an implementation that returned neither a response
// nor an error.
func NoResponse(op *Operation) error {
	return fmt.Errorf("the implementation of %s returned no response", op.ID)
}
