package faulty

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// inParts makes an honest server of a catalog that gives out a task with
// each plan, however short.
func inParts(catalog http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		table, fetches := strings.CutSuffix(r.URL.Path, "/tasks")
		switch {
		case r.Method == http.MethodPost && fetches:
			fetchTask(catalog, table, r).send(w)
		case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/plan"):
			a := capture(catalog, r)
			var plan map[string]any
			if a.status == http.StatusOK && json.Unmarshal(a.body, &plan) == nil {
				plan["plan-tasks"] = []string{"the rest"}
				a.body, _ = json.Marshal(plan) // it was JSON before
				a.header.Set("Content-Length", strconv.Itoa(len(a.body)))
			}
			a.send(w)
		default:
			catalog.ServeHTTP(w, r)
		}
	})
}

// fetchTask answers for the one task that there is, if its table is there.
func fetchTask(catalog http.Handler, table string, r *http.Request) *answer {
	sent, err := readRequest(r, "")
	if err != nil || !strings.Contains(sent.body, `"the rest"`) {
		return capture(catalog, r)
	}
	load := r.Clone(r.Context())
	load.Method, load.URL.Path, load.URL.RawPath, load.Body, load.ContentLength = http.MethodGet, table, "", http.NoBody, 0
	if a := capture(catalog, load); a.status != http.StatusOK {
		return a
	}
	return &answer{
		status: http.StatusOK, header: http.Header{"Content-Type": {"application/json"}},
		body: []byte(`{"file-scan-tasks":[]}`),
	}
}
