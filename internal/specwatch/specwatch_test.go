package specwatch

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// exchange is a proof in full.
func (p proof) exchange(t *testing.T) exchange {
	t.Helper()
	request, err := http.NewRequest(p.method, "http://127.0.0.1"+p.path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.sent != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(p.sent, "grant_type") {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if p.key != "" {
		request.Header.Set(keyHeader, p.key)
	}
	return exchange{
		request: request, sent: []byte(p.sent), status: p.status, received: []byte(p.received),
		header: http.Header{"Content-Type": {"application/json"}},
	}
}

// Every amendment is needed, and does what it is for. One that is not needed any
// more has to go.
func TestAmendmentsAreNeeded(t *testing.T) {
	t.Parallel()
	all, err := theBook()
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range Amendments {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			if found := all.check(t.Context(), a.proof.exchange(t)); len(found) > 0 {
				t.Errorf("the amended document rejects it: %v", found)
			}
			others, err := newBook(append(append([]Amendment{}, Amendments[:i]...), Amendments[i+1:]...))
			if err != nil {
				t.Fatal(err)
			}
			if found := others.check(t.Context(), a.proof.exchange(t)); len(found) == 0 {
				t.Error("the document accepts it without the amendment")
			}
		})
	}
}

// recorder is a test that is told of failures and goes on.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	told []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = append(r.told, fmt.Sprintf(format, args...))
}

func (r *recorder) Error(args ...any) { r.Errorf("%s", fmt.Sprint(args...)) }

const aToken = `{"access_token":"secret","token_type":"bearer"}`

const aPlan = `{"status":"completed","plan-id":"p"}`

// filter is a plan of a scan, with conditions nested so deep around one.
func filter(levels int, innermost string) string {
	text := fmt.Sprintf(`{"type":%q,"term":"c"}`, innermost)
	for range levels {
		text = fmt.Sprintf(`{"type":"and","left":{"type":"is-null","term":"c"},"right":%s}`, text)
	}
	return `{"filter":` + text + `}`
}

// listing is one table after some others.
func listing(others int, last any) string {
	var all strings.Builder
	for i := range others {
		fmt.Fprintf(&all, `{"namespace":["a"],"name":"%d"},`, i)
	}
	name, err := json.Marshal(last)
	if err != nil {
		panic(err) // a text or a number
	}
	return fmt.Sprintf(`{"identifiers":[%s{"namespace":["a"],"name":%s}]}`, &all, name)
}

// What is not as the document says is reported with operation, place and reason;
// the client gets the response all the same.
func TestViolationsAreReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method, path, sent string
		status             int
		received, want     string
	}{
		"in order":         {"GET", "/v1/namespaces/a%1Fb", "", 200, `{"namespace":["a","b"]}`, ""},
		"with a prefix":    {"GET", "/v1/some/namespaces/a", "", 200, `{"namespace":1}`, "loadNamespaceMetadata, response (status 200), at /namespace: "},
		"a body":           {"GET", "/v1/namespaces/a", "", 200, `{"properties":{}}`, "at /namespace: property \"namespace\" is missing"},
		"a status":         {"GET", "/v1/namespaces/a", "", 201, `{"namespace":["a"]}`, "at status: the operation does not declare it"},
		"a bare error":     {"GET", "/v1/namespaces/a/views/v", "", 404, `{"message":"no","type":"T","code":404}`, "loadView, response (status 404), at /: "},
		"an error's code":  {"GET", "/v1/namespaces/a", "", 404, `{"error":{"message":"no","type":"T","code":1}}`, "at /error/code: "},
		"a header":         {"GET", "/v1/namespaces?pageSize=0", "", 200, `{"namespaces":[]}`, "request (status 200), at query pageSize: "},
		"refused":          {"GET", "/v1/namespaces?pageSize=0", "", 400, errorBody(400), ""},
		"a request's body": {"POST", "/v1/namespaces", `{"namespace":"a"}`, 200, `{"namespace":["a"]}`, "request (status 200), at /namespace: "},
		"an update": {
			"POST", "/v1/namespaces/a/tables/t", `{"requirements":[],"updates":[{"action":"set-location","location":1}]}`,
			200, `{"metadata-location":"f",` + aTable[1:], "at /updates/0/location: ",
		},
		"a constant": {
			"POST", "/v1/namespaces/a/tables/t/plan", `{"filter":{"type":"and","left":true}}`,
			200, `{"status":"completed","plan-id":"p"}`, "request (status 200), at /filter: ",
		},
		"no JSON":        {"POST", "/v1/namespaces", strings.Repeat("[", 99), 200, `{"namespace":["a"]}`, "at /: the body is no JSON"},
		"deep":           {"POST", "/v1/namespaces/a/tables/t/plan", filter(60, "not-null"), 200, aPlan, ""},
		"wrong and deep": {"POST", "/v1/namespaces/a/tables/t/plan", filter(60, "maybe"), 200, aPlan, "planTableScan, request (status 200), at /filter: "},
		"long":           {"GET", "/v1/namespaces/a/tables", "", 200, listing(5000, "n"), ""},
		"wrong and long": {"GET", "/v1/namespaces/a/tables", "", 200, listing(5000, 1), "listTables, response (status 200), at /identifiers/5000/name: "},
		"a token":        {"GET", "/v1/config?warehouse=a", "", 200, `{"defaults":{"token":["secret"]},"overrides":{}}`, "at /defaults/token: value must be a string"},
		"a login":        {"POST", "/v1/oauth/tokens", "grant_type=client_credentials&client_id=a&client_secret=b", 200, aToken, ""},
		"a bad login":    {"POST", "/v1/oauth/tokens", "grant_type=password&client_secret=secret", 200, aToken, "getToken, request (status 200), at /"},
		"failed on":      {"POST", "/v1/namespaces", `{"namespace":"a"}`, 500, errorBody(500), "request (status 500), at /namespace: "},
		"beside":         {"GET", "/metrics", "", 200, "x 1", ""},
		"unknown":        {"GET", "/v1/nowhere", "", 200, "{}", "no operation, response (status 200), at status: "},
		"refused there":  {"PUT", "/v1/namespaces", "", 405, errorBody(405), ""},
		"badly refused":  {"GET", "/v1/nowhere", "", 404, `{"message":"no"}`, "no operation, response (status 404), at /: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if text, err := io.ReadAll(r.Body); err != nil || string(text) != c.sent {
					t.Errorf("the server got %q, %v", text, err)
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.received)
			}))
			defer server.Close()
			told := &recorder{TB: t}
			client := http.Client{Transport: Transport(told, server.Client().Transport)}
			request, err := http.NewRequest(c.method, server.URL+c.path, strings.NewReader(c.sent))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "application/json")
			if strings.HasPrefix(c.sent, "grant_type") {
				request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			}
			response, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if text, err := io.ReadAll(response.Body); err != nil || c.status != 204 && string(text) != c.received {
				t.Errorf("the client got %q, %v", text, err)
			}
			all := strings.Join(told.told, "\n")
			if strings.Contains(all, "secret") {
				t.Errorf("a value was told: %q", all)
			}
			if (all == "") != (c.want == "") || !strings.Contains(all, c.want) {
				t.Errorf("%q was told, want %q", all, c.want)
			}
		})
	}
}
