package runtime_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// receive is a request as a handler meets it.
func receive(method, target, contentType, body string) echo.Context {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return echo.New().NewContext(r, httptest.NewRecorder())
}

// wantError checks status and message, and that the message does not speak of
// Go.
func wantError(t *testing.T, what string, err error, status int, message string) {
	t.Helper()
	var e *runtime.Error
	if !errors.As(err, &e) || e.Status != status || !strings.Contains(e.Message, message) {
		t.Errorf("%s: %v, want %d %s", what, err, status, message)
		return
	}
	if goWords.MatchString(e.Message) {
		t.Errorf("%s: the message speaks of Go: %s", what, e.Message)
	}
}

var goWords = regexp.MustCompile(`\bGo\b|struct|int64|int32|float64|\[\]|unmarshal|json:`)

type thing struct {
	Name  string   `json:"name" form:"name"`
	Count *int32   `json:"count,omitempty" form:"count"`
	Inner *thing   `json:"inner,omitempty" form:"inner"`
	Tags  []string `json:"tags,omitempty" form:"tags"`
}

func TestDecodeJSON(t *testing.T) {
	t.Parallel()
	for _, contentType := range []string{"", "application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/problem+json"} {
		var got thing
		present, err := runtime.DecodeJSON(receive("POST", "/", contentType, ` {"name":"\ud83e\uddca\\ud800","count":7} `), nil, "", true, &got)
		if err != nil || !present || got.Name != `🧊\ud800` || *got.Count != 7 {
			t.Errorf("%s: %t, %v, %+v", contentType, present, err, got)
		}
	}
	for _, empty := range []string{"", " \r\n"} {
		if present, err := runtime.DecodeJSON(receive("POST", "/", "", empty), nil, "", false, new(thing)); present || err != nil {
			t.Errorf("%q: %t, %v", empty, present, err)
		}
	}
}

func TestDecodeJSONRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		contentType, body string
		status            int
		message           string
	}{
		{"application/json", "", 400, "Request body is required"},
		{"text/plain", `{}`, 415, "Request body must be application/json, not text/plain"},
		{"bad type;;", `{}`, 415, "not bad type"},
		{"", `{"name":`, 400, "Request body is not valid JSON: unexpected end of JSON input at byte 8"},
		{"", `{} {}`, 400, "Request body is not valid JSON"},
		{"", `{"name":NaN}`, 400, "Request body is not valid JSON"},
		{"", "{\"name\":\"\xc3\x28\"}", 400, "Request body is not valid UTF-8"},
		{"", `{"name":"\ud800"}`, 400, "half a character"},
		{"", `{"name":"\udc00\ud800"}`, 400, "half a character"},
		{"", `{"\uD83Ex":1}`, 400, "half a character"},
		{"", `{"name":1}`, 400, "Field /name must be a string, not a number"},
		{"", `{"name":true}`, 400, "Field /name must be a string, not a boolean"},
		{"", `{"count":1.5}`, 400, "Field /count must be an integer, not a number"},
		{"", `{"count":3000000000}`, 400, "Field /count is out of range"},
		{"", `{"count":"1"}`, 400, "Field /count must be an integer, not a string"},
		{"", `{"inner":{"tags":{}}}`, 400, "Field /inner/tags must be an array, not an object"},
		{"", `{"inner":[]}`, 400, "Field /inner must be an object, not an array"},
		{"", `[]`, 400, "Request body must be an object, not an array"},
	} {
		_, err := runtime.DecodeJSON(receive("POST", "/", c.contentType, c.body), nil, "", true, new(thing))
		wantError(t, c.body, err, c.status, c.message)
	}
}

func TestDecodeForm(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded"
	shapes := runtime.Shapes{
		"Thing": {Types: runtime.JSONObject, Required: []string{"name"}, Members: map[string]string{
			"name": "string", "count": "integer", "inner": "Thing", "tags": "[]string",
		}},
		"string":   {Types: runtime.JSONString},
		"integer":  {Types: runtime.JSONInteger},
		"[]string": {Types: runtime.JSONArray, Items: "string"},
	}
	for body, want := range map[string]string{
		"name=a+b%2B%C3%BC&count=7&unknown=x&unknown=y&tags=1&tags=2": `{"name":"a b+ü","count":7,"tags":["1","2"]}`,
		"name=7&tags=x":                       `{"name":"7","tags":["x"]}`,
		"name=%3C&NAME=y":                     `{"name":"<"}`,
		`name=n&inner={"name":"i","count":1}`: `{"name":"n","inner":{"name":"i","count":1}}`,
	} {
		var got, wanted thing
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		present, err := runtime.DecodeForm(receive("POST", "/", form, body), shapes, "Thing", true, &got)
		if diff := cmp.Diff(wanted, got); diff != "" || err != nil || !present {
			t.Errorf("%s: %t, %v (-want +got)\n%s", body, present, err, diff)
		}
	}
	var union map[string]any
	if _, err := runtime.DecodeForm(receive("POST", "/", form, "a=1&b=2&b=3"), nil, "", true, &union); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]any{"a": "1", "b": []any{"2", "3"}}, union); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for body, message := range map[string]string{
		"":               "Request body is required",
		"a=%zz":          "Request body is not a valid form",
		"name=%ff":       "Request body is not valid UTF-8",
		"count=1":        "Field /name is required",
		"name=n&count=x": "Field /count must be an integer, not a string",
		"name=n&name=m":  "Field /name must be a string, not an array",
	} {
		_, err := runtime.DecodeForm(receive("POST", "/", form, body), shapes, "Thing", true, new(thing))
		wantError(t, body, err, 400, message)
	}
	_, err := runtime.DecodeForm(receive("POST", "/", "application/json", "{}"), nil, "", true, new(thing))
	wantError(t, "JSON", err, 415, "Request body must be application/x-www-form-urlencoded, not application/json")
}

func TestDecodeTextAndBody(t *testing.T) {
	t.Parallel()
	text := ""
	if present, err := runtime.DecodeText(receive("PUT", "/", "text/plain", "ü\n"), true, &text); err != nil || !present || text != "ü\n" {
		t.Errorf("%t, %v, %q", present, err, text)
	}
	_, err := runtime.DecodeText(receive("PUT", "/", "text/plain", ""), true, &text)
	wantError(t, "no text", err, 400, "Request body is required")

	reader, err := runtime.Body(receive("PUT", "/", "", "\x00\xff"), true)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(reader); err != nil || string(all) != "\x00\xff" {
		t.Errorf("%q, %v", all, err)
	}
	_, err = runtime.Body(receive("PUT", "/", "", ""), true)
	wantError(t, "no body", err, 400, "Request body is required")
	if reader, err := runtime.Body(receive("PUT", "/", "", ""), false); err != nil || reader == nil {
		t.Errorf("%v, %v", reader, err)
	}
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	c := receive(http.MethodPost, "/", "Application/Merge-Patch+JSON; charset=utf-8", "{}")
	for want, is := range map[string]bool{"application/merge-patch+json": true, "application/merge-patch+json; profile=x": true, "application/json": false} {
		if runtime.HasMediaType(c, want) != is {
			t.Errorf("%s: %t", want, !is)
		}
	}
	wantError(t, "unsupported", runtime.UnsupportedMediaType(c), 415, `"application/merge-patch+json"`)
}
