package generated

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// subject is one Go type under test: New makes a value to decode into, and the
// value to encode is what it points at. Shape is what a request body of the type
// is checked against; empty for what is only ever sent.
type subject struct {
	New   func() any
	Shape string
}

// call is one line of input.
type call struct {
	Type string          `json:"type"`
	JSON json.RawMessage `json:"json"`
}

// answer is one line of output.
type answer struct {
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

// Exchange decodes and encodes each line of input the way a handler does, until
// the input ends.
func Exchange(in io.Reader, out io.Writer) error {
	lines, encoder := bufio.NewReader(in), json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := encoder.Encode(roundTrip(line)); err != nil {
			return err
		}
	}
}

func roundTrip(line []byte) answer {
	var c call
	if err := json.Unmarshal(line, &c); err != nil {
		return answer{Error: err.Error()}
	}
	s, ok := subjects[c.Type]
	if !ok {
		return answer{Error: "no such type"}
	}
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(string(c.JSON)))
	request.Header.Set("Content-Type", "application/json")
	value := s.New()
	_, err := runtime.DecodeJSON(echo.New().NewContext(request, nil), shapes, s.Shape, true, value)
	if err != nil {
		return answer{Error: "decoding: " + err.Error()}
	}
	text, err := encode(value)
	if err == nil {
		err = sameHollow(value)
	}
	if err != nil {
		return answer{Error: "encoding: " + err.Error()}
	}
	return answer{JSON: text}
}

// encode writes what a pointer leads to.
func encode(value any) ([]byte, error) {
	recorder := httptest.NewRecorder()
	err := runtime.WriteJSON(recorder, http.StatusOK, "application/json", value)
	return recorder.Body.Bytes(), err
}
