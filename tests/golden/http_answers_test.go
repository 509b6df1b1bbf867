package golden

import (
	"encoding/json"
	"strings"
	"testing"
)

// testParameters looks at query and header parameters.
func testParameters(t *testing.T, address string) {
	for query, want := range map[string]string{
		"?pageToken=a+b%2B%25&pageSize=7":       `{"identifiers":[{"name":"7","namespace":["a b+%"]}]}`,
		"?pageToken=&pageSize=0":                `{"identifiers":[{"name":"0","namespace":[""]}]}`,
		"":                                      `{"identifiers":[{"name":"none","namespace":[""]}]}`,
		"?other=1&pageSize=9007199254740993":    `{"identifiers":[{"name":"9007199254740993","namespace":[""]}]}`,
		"?PageSize=x&pageToken=%C3%BC%E8%A1%A8": `{"identifiers":[{"name":"none","namespace":["ü表"]}]}`,
	} {
		a := exchange{method: "GET", target: "/v1/namespaces/a/tables" + query}.send(t, address)
		if a.status != 200 || strings.TrimSpace(a.body) != want {
			t.Errorf("%s: %d %s, want %s", query, a.status, a.body, want)
		}
	}
	for query, want := range map[string]string{
		"?pageSize=ten":                  `Query parameter pageSize must be an integer, not "ten"`,
		"?pageSize=":                     `Query parameter pageSize must be an integer, not ""`,
		"?pageSize=1.5":                  `Query parameter pageSize must be an integer, not "1.5"`,
		"?pageSize=99999999999999999999": `Query parameter pageSize must be an integer, not "99999999999999999999"`,
		"?pageSize=1&pageSize=2":         `Query parameter pageSize is given 2 times`,
		"?pageSize=%zz":                  `The query is not validly encoded`,
		"?a=1;b=2":                       `The query is not validly encoded`,
	} {
		a := exchange{method: "GET", target: "/v1/namespaces/a/tables" + query}.send(t, address)
		message, kind := a.problem(t)
		if a.status != 400 || kind != "BadRequestException" || message != want || goNames.MatchString(a.body) {
			t.Errorf("%s: %d %s, want 400 %s", query, a.status, a.body, want)
		}
	}
	for headers, want := range map[string]string{
		"":                                  `{}`,
		"If-None-Match: \"v0\", \"v2\"\r\n": `{"if-none-match":"\"v0\", \"v2\""}`,
		"If-None-Match: \"v0\"\r\nif-none-match: \"v2\"\r\n":                                                               `{"if-none-match":"\"v0\",\"v2\""}`,
		"X-Iceberg-Access-Delegation: vended-credentials,remote-signing\r\n":                                               `{"delegation":"vended-credentials|remote-signing"}`,
		"X-Iceberg-Access-Delegation: vended-credentials\r\nx-iceberg-access-delegation: remote-signing\r\n":               `{"delegation":"vended-credentials|remote-signing"}`,
		"X-Iceberg-Access-Delegation: vended-credentials , remote-signing\r\nIdempotency-Key: x\r\nIdempotency-Key: y\r\n": `{"delegation":"vended-credentials|remote-signing"}`,
	} {
		a := exchange{method: "GET", target: "/v1/namespaces/a/tables/t", headers: headers}.send(t, address)
		var body struct{ Config json.RawMessage }
		if err := json.Unmarshal([]byte(a.body), &body); err != nil || a.status != 200 || string(body.Config) != want {
			t.Errorf("%q: %d %s, want %s", headers, a.status, a.body, want)
		}
	}
}

// testErrors looks at errors that are not of the request's making, and the
// router's own. Cases C7 and C8.
func testErrors(t *testing.T, address string) {
	for _, c := range []struct {
		method, target string
		status         int
		kind, message  string
	}{
		{"GET", "/v1/config", 501, "UnsupportedOperationException", "Operation is not supported by this server: getConfig"},
		{"POST", "/v1/p/tables/rename", 400, "BadRequestException", "Request body is required"},
		{"GET", "/v1/namespaces/a/tables?pageToken=fail", 500, "InternalServerException", "Internal server error"},
		{"GET", "/v1/namespaces/a/tables?pageToken=nothing", 500, "InternalServerException", "Internal server error"},
		{"GET", "/v1/namespaces/a/tables?pageToken=wrapped", 404, "NoSuchNamespaceException", "gone <&>"},
		{"GET", "/v1/nope", 400, "BadRequestException", "No route for request: GET /v1/nope"},
		{"GET", "/", 400, "BadRequestException", "No route for request: GET /"},
		{"PATCH", "/v1/config", 405, "MethodNotAllowedException", "Method not allowed: PATCH /v1/config"},
	} {
		a := exchange{method: c.method, target: c.target}.send(t, address)
		message, kind := a.problem(t)
		if a.status != c.status || kind != c.kind || message != c.message {
			t.Errorf("%s %s: %d %s", c.method, c.target, a.status, a.body)
		}
		if strings.Contains(a.body, "hunter2") {
			t.Errorf("%s %s tells what it should not: %s", c.method, c.target, a.body)
		}
	}
}

// testStatuses looks at the answers that are no errors: the declared statuses and
// no others, no body where there is none, ETag in that spelling. Case C8.
func testStatuses(t *testing.T, address string) {
	for _, c := range []struct {
		method, target, headers string
		status                  int
		body                    string
		head                    []string // what it holds; with a minus, what not
	}{
		{"HEAD", "/v1/namespaces/a", "", 204, "", []string{"-Content-Type", "-Content-Length"}},
		{"HEAD", "/v1/p/namespaces/none", "", 404, "", []string{"-Transfer-Encoding"}},
		{"HEAD", "/v1/nope", "", 400, "", []string{"-Transfer-Encoding"}},
		{"DELETE", "/v1/namespaces/a", "", 204, "", []string{"-Content-Type", "-Content-Length"}},
		{"GET", "/v1/namespaces/a/tables/t", "", 200, "", []string{"\r\nETag: \"v1\"\r\n", "\r\nContent-Type: application/json\r\n", "-Etag"}},
		{"GET", "/v1/namespaces/a/tables/t", "If-None-Match: \"v1\"\r\n", 304, "", []string{"-Content-Type", "-Content-Length"}},
	} {
		a := exchange{method: c.method, target: c.target, headers: c.headers}.send(t, address)
		if a.status != c.status || c.status != 200 && a.body != c.body {
			t.Errorf("%s %s: %d %q", c.method, c.target, a.status, a.body)
		}
		for _, want := range c.head {
			unwanted, not := strings.CutPrefix(want, "-")
			if not && strings.Contains(a.head, "\r\n"+unwanted+":") || !not && !strings.Contains(a.head+"\r\n", want) {
				t.Errorf("%s %s: %q in\n%s", c.method, c.target, want, a.head)
			}
		}
	}
	a := exchange{method: "GET", target: "/v1/namespaces/a/tables/t"}.send(t, address)
	if !strings.Contains(a.body, `"table-uuid":"<&>"`) {
		t.Errorf("HTML escapes in JSON: %s", a.body)
	}
}
