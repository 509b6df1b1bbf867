package golden

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/generator"
)

// serve generates from this repository's document, builds a server of it and
// starts it. It ends with the test.
func serve(t *testing.T) string {
	t.Helper()
	m := newModule(t)
	spec := filepath.Join(projectRoot(t), "spec", "rest-catalog-open-api.yaml")
	c := specConfig(spec)
	c.DocComments = generator.NoComments
	m.generate(t, "iceberg", read(t, spec), c)
	m.write(t, "server/main.go", read(t, filepath.Join("testdata", "server", "main.go")))
	program := m.path("server/server.bin")
	m.tool(t, "vet", "./server")
	m.tool(t, "build", "-o", program, "./server")

	cmd := exec.Command(program)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended badly: %v", err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// exchange is a request by its bytes, and the answer by its.
type exchange struct {
	method, target string
	headers        string // lines that end in \r\n
	body           string
}

type answer struct {
	status int
	head   string // status line and headers as they came over the wire
	body   string
}

// send writes raw bytes: no client tidies a path or a header.
func (x exchange) send(t *testing.T, address string) answer {
	t.Helper()
	conn, err := net.DialTimeout("tcp", address, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	request := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: test\r\nConnection: close\r\n%s", x.method, x.target, x.headers)
	if x.body != "" {
		request += fmt.Sprintf("Content-Length: %d\r\n", len(x.body))
	}
	if _, err := io.WriteString(conn, request+"\r\n"+x.body); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(all)), &http.Request{Method: x.method})
	if err != nil {
		t.Fatalf("%v\n%s", err, all)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(all), "\r\n\r\n")
	if x.method == http.MethodHead && rest != "" {
		t.Errorf("HEAD %s has a body: %q", x.target, rest)
	}
	return answer{response.StatusCode, head, string(body)}
}

// problem is Iceberg's error form.
func (a answer) problem(t *testing.T) (message, kind string) {
	t.Helper()
	var body struct {
		Error struct {
			Message, Type string
			Code          int
		}
	}
	decoder := json.NewDecoder(strings.NewReader(a.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil || body.Error.Code != a.status || body.Error.Type == "" || body.Error.Message == "" {
		t.Errorf("not Iceberg's error form, or not of status %d: %s (%v)", a.status, a.body, err)
	}
	if !strings.Contains(a.head, "\r\nContent-Type: application/json") {
		t.Errorf("an error without the media type of JSON:\n%s", a.head)
	}
	return body.Error.Message, body.Error.Type
}

const jsonBody = "Content-Type: application/json\r\n"

func TestHTTP(t *testing.T) {
	t.Parallel()
	address := serve(t)
	t.Run("paths", func(t *testing.T) { testPaths(t, address) })
	t.Run("bodies", func(t *testing.T) { testBodies(t, address) })
	t.Run("refused bodies", func(t *testing.T) { testRefusedBodies(t, address) })
	t.Run("parameters", func(t *testing.T) { testParameters(t, address) })
	t.Run("errors", func(t *testing.T) { testErrors(t, address) })
	t.Run("statuses", func(t *testing.T) { testStatuses(t, address) })
}

// Case B8: a path value is decoded once, by form rules, whatever it holds.
func testPaths(t *testing.T, address string) {
	for raw, want := range map[string]string{
		"a%252Fb":         "a%2Fb",
		"a%2Fb":           "a/b",
		"a%1Fb":           "a\x1fb",
		"a%1fb":           "a\x1fb",
		"%25":             "%",
		"a%2525%2Fb":      "a%25/b",
		"caf%c3%a9":       "café",
		"a+b":             "a b",
		"a%20b":           "a b",
		"a%2Bb":           "a+b",
		"a%2bb%2fc":       "a+b/c",
		"x%2Fy":           "x/y",
		"50%25":           "50%",
		"%C3%BC":          "ü",
		"%E8%A1%A8":       "表",
		"ü":               "ü",
		"表%2F":            "表/",
		"a.b":             "a.b",
		"..":              "..",
		"%2e%2E":          "..",
		"a~*!$&'(),;=:@b": "a~*!$&'(),;=:@b",
		"%3F%23":          "?#",
		"tables":          "tables",
	} {
		for _, prefix := range []string{"", "p/", "a%2Fb/", "p+q/", "50%25/"} {
			a := exchange{method: "GET", target: "/v1/" + prefix + "namespaces/" + raw}.send(t, address)
			var body struct {
				Namespace  []string
				Properties map[string]string
			}
			if err := json.Unmarshal([]byte(a.body), &body); err != nil || a.status != 200 {
				t.Errorf("%s%s: %d %s (%v)", prefix, raw, a.status, a.body, err)
				continue
			}
			wantPrefix := map[string]string{"": "", "p/": "p", "a%2Fb/": "a/b", "p+q/": "p q", "50%25/": "50%"}[prefix]
			if body.Namespace[0] != want || body.Properties["prefix"] != wantPrefix {
				t.Errorf("%s%s: decoded %q below %q, want %q below %q", prefix, raw, body.Namespace[0], body.Properties["prefix"], want, wantPrefix)
			}
			if want := raw; body.Properties["raw"] != want && body.Properties["raw"] != urlEncoded(want) || body.Properties["raw-prefix"] != strings.TrimSuffix(prefix, "/") {
				t.Errorf("%s%s: raw %q below %q", prefix, raw, body.Properties["raw"], body.Properties["raw-prefix"])
			}
		}
	}
	for _, raw := range []string{"%zz", "%", "a%2", "%u0041"} {
		if a := (exchange{method: "GET", target: "/v1/namespaces/" + raw}).send(t, address); a.status != 400 {
			t.Errorf("%s: %d %s", raw, a.status, a.body)
		}
	}
}

// urlEncoded is how net/http hands on bytes that a path should not hold as they
// are.
func urlEncoded(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= 0x80 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Cases B1 and B4 over HTTP, and what a body may look like.
func testBodies(t *testing.T, address string) {
	for body, headers := range map[string]string{
		`{"namespace":["a","ü","表"],"unknown":{"x":1}}`:    jsonBody,
		` {"namespace" : [ "a" ] , "properties" : null } `: "Content-Type: application/json; charset=utf-8\r\n",
		`{"namespace":[]}`: "",
		`{"NAMESPACE":7,"namespace":["a"],"Namespace":{}}`:         jsonBody,
		`{"namespace":["a"],"properties":{"Namespace":"","a":""}}`: "Content-Type: application/vnd.iceberg+json\r\nIdempotency-Key: not a key\r\n",
	} {
		a := exchange{"POST", "/v1/namespaces", headers, body}.send(t, address)
		var got struct {
			Namespace  []string
			Properties map[string]string
		}
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 || got.Properties["raw"] != body {
			t.Errorf("%s: %d %s (%v)", body, a.status, a.body, err)
		}
		if !strings.Contains(a.head, "\r\nContent-Type: application/json\r\n") {
			t.Errorf("%s: %s", body, a.head)
		}
	}
	for requirement, want := range map[string]string{
		`{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":9007199254740993}`: "main null=false 9007199254740993",
		`{"snapshot-id":null,"ref":"ü","type":"assert-ref-snapshot-id"}`:                "ü null=true",
		`{"type":"assert-create"}`: "",
	} {
		body := `{"requirements":[` + requirement + `],"updates":[]}`
		a := exchange{"POST", "/v1/namespaces/a/tables/t", jsonBody, body}.send(t, address)
		var got struct {
			Location string `json:"metadata-location"`
		}
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 || got.Location != want {
			t.Errorf("%s: %d %s, want %q", requirement, a.status, a.body, want)
		}
	}
}

// goNames are words that a message must not hold: they speak of Go, not of the
// request.
var goNames = regexp.MustCompile(`\bGo\b|struct|int64|float64|\[\]string|iceberg\.|json:|unmarshal`)

// Case B10: a body that does not fit is a 400 that names the field.
func testRefusedBodies(t *testing.T, address string) {
	commit := func(requirement string) string { return `{"requirements":[` + requirement + `],"updates":[]}` }
	for _, c := range []struct{ target, body, message string }{
		{"/v1/namespaces", `{}`, "Field /namespace is required"},
		{"/v1/namespaces", `{"namespace":null}`, "Field /namespace is required and must not be null"},
		{"/v1/namespaces", `{"Namespace":["a"]}`, "Field /namespace is required"},
		{"/v1/namespaces", `{"namespace":"a"}`, "Field /namespace must be an array, not a string"},
		{"/v1/namespaces", `{"namespace":["a",1]}`, "Field /namespace/1 must be a string, not an integer"},
		{"/v1/namespaces", `{"namespace":["a",null]}`, "Field /namespace/1 must not be null"},
		{"/v1/namespaces", `{"namespace":["a"],"properties":{"a/b~":1.5}}`, "Field /properties/a~1b~0 must be a string, not a number"},
		{"/v1/namespaces", `{"namespace":["a"],"properties":{"a":null}}`, "Field /properties/a must not be null"},
		{"/v1/namespaces", `{"namespace":["a"],"properties":[]}`, "Field /properties must be an object, not an array"},
		{"/v1/namespaces", `null`, "Request body must not be null"},
		{"/v1/namespaces", `[]`, "Request body must be an object, not an array"},
		{"/v1/namespaces", `true`, "Request body must be an object, not a boolean"},
		{"/v1/namespaces", `{`, "Request body is not valid JSON"},
		{"/v1/namespaces", `{"namespace":["a"]} x`, "Request body is not valid JSON"},
		{"/v1/namespaces", `{"namespace":["a"]}{"namespace":["b"]}`, "Request body is not valid JSON"},
		{"/v1/namespaces", "{\"namespace\":[\"\xff\"]}", "Request body is not valid UTF-8"},
		{"/v1/namespaces", "\ufeff{\"namespace\":[\"a\"]}", "Request body is not valid JSON"},
		{"/v1/namespaces", ``, "Request body is required"},
		{"/v1/namespaces", ` `, "Request body is required"},
		{"/v1/namespaces/a/tables/t", commit(`{}`), "Field /requirements/0/type is required"},
		{"/v1/namespaces/a/tables/t", commit(`{"type":1}`), "Field /requirements/0/type must be a string, not an integer"},
		{"/v1/namespaces/a/tables/t", commit(`{"type":"assert-nothing"}`), `Field /requirements/0/type has the unknown value "assert-nothing"`},
		{"/v1/namespaces/a/tables/t", commit(`null`), "Field /requirements/0 must not be null"},
		{"/v1/namespaces/a/tables/t", commit(`{"type":"assert-ref-snapshot-id","ref":"main"}`), "Field /requirements/0/snapshot-id is required"},
		{"/v1/namespaces/a/tables/t", commit(`{"type":"assert-ref-snapshot-id","ref":1,"snapshot-id":1}`), "Field /requirements/0/ref must be a string, not an integer"},
		{"/v1/namespaces/a/tables/t", commit(`{"snapshot-id":1.5,"ref":"main","type":"assert-ref-snapshot-id"}`), "Field /requirements/0/snapshot-id must be an integer or null, not a number"},
		{
			"/v1/namespaces/a/tables/t", `{"requirements":[],"updates":[{"action":"add-schema","schema":{"type":"struct","fields":[{"id":1,"name":"a","required":"yes","type":"int"}]}}]}`,
			"Field /updates/0/schema/fields/0/required must be a boolean, not a string",
		},
		{"/v1/namespaces/a/tables", `{"name":"t","schema":{"type":"struct","fields":[]},"stage-create":"yes"}`, "Field /stage-create must be a boolean, not a string"},
		{"/v1/namespaces/a/tables", `{"name":"t","schema":{"type":"struct","fields":[{"id":99999999999999999999,"name":"a","required":true,"type":"int"}]}}`, "Field /schema/fields/0/id is out of range"},
	} {
		a := exchange{"POST", c.target, jsonBody, c.body}.send(t, address)
		message, kind := a.problem(t)
		if a.status != 400 || kind != "BadRequestException" || !strings.Contains(message, c.message) {
			t.Errorf("%q: %d %s, want 400 %q", c.body, a.status, a.body, c.message)
		}
		if goNames.MatchString(a.body) {
			t.Errorf("%q: the message speaks of Go: %s", c.body, a.body)
		}
	}
	for _, mediaType := range []string{"text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense"} {
		a := exchange{"POST", "/v1/namespaces", "Content-Type: " + mediaType + "\r\n", `{"namespace":["a"]}`}.send(t, address)
		if message, kind := a.problem(t); a.status != 415 || kind != "UnsupportedMediaTypeException" || !strings.Contains(message, mediaType) {
			t.Errorf("%s: %d %s", mediaType, a.status, a.body)
		}
	}
}
