package catalog_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/uptrace/bun"
)

// server is a catalog behind the generated handlers, as a client sees it.
type server struct {
	fatal     interface{ Fatalf(string, ...any) }
	url       string
	client    *http.Client
	warehouse string
	db        *bun.DB
	// keyed says that keys are honoured, transactional that their records are in db.
	keyed, transactional bool
}

// answer is a response with its body, decoded when there is one.
type answer struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

// message is an error's message, with its type in front.
func (a answer) message() string {
	e, _ := a.body["error"].(map[string]any)
	typ, _ := e["type"].(string)
	text, _ := e["message"].(string)
	return typ + ": " + text
}

// do sends a request. The path goes over the wire as it is; headers are name,
// value, name, value.
func (s server) do(method, path, body string, headers ...string) answer {
	request, err := http.NewRequest(method, s.url, strings.NewReader(body))
	if err != nil {
		s.fatal.Fatalf("%v", err)
	}
	raw, query, _ := strings.Cut(path, "?")
	request.URL.Opaque = "//" + request.URL.Host + raw
	request.URL.RawQuery = query
	if strings.HasPrefix(body, "{") {
		request.Header.Set("Content-Type", "application/json")
	} else if body != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.client.Do(request)
	if err != nil {
		s.fatal.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.fatal.Fatalf("%s %s: %v", method, path, err)
	}
	a := answer{status: response.StatusCode, header: response.Header, text: string(bytes.TrimSpace(text))}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &a.body); err != nil {
			s.fatal.Fatalf("%s %s: not JSON: %s", method, path, text)
		}
	}
	return a
}

// pathOf is a namespace in a path, encoded as Iceberg's clients do.
func pathOf(levels ...string) string { return "/v1/namespaces/" + encoded("%1F", levels) }

func encoded(separator string, levels []string) string {
	parts := make([]string, len(levels))
	for i, level := range levels {
		parts[i] = url.QueryEscape(level)
	}
	return strings.Join(parts, separator)
}

func jsonOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (s server) create(levels ...string) answer {
	return s.do(http.MethodPost, "/v1/namespaces", jsonOf(map[string]any{"namespace": levels}))
}

// list returns the names below a parent, levels joined by |.
func (s server) list(query string) (names []string, next string, a answer) {
	a = s.do(http.MethodGet, "/v1/namespaces"+query, "")
	if a.status != http.StatusOK {
		return nil, "", a
	}
	for _, item := range a.body["namespaces"].([]any) {
		var levels []string
		for _, level := range item.([]any) {
			levels = append(levels, level.(string))
		}
		names = append(names, strings.Join(levels, "|"))
	}
	next, _ = a.body["next-page-token"].(string)
	return names, next, a
}
