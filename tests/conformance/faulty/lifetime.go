package faulty

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// A server that advertises the lifetime among the overrides. Clients look for it
// at the top level, and send no keys at all.
var lifetimeInOverrides = Fault{
	Name:  "advertises the lifetime among the overrides",
	Fails: []string{"lifetime"},
	install: func(s *server) {
		s.inside = rewriteConfig(func(config map[string]any) {
			config["overrides"] = map[string]any{lifetime: config[lifetime]}
			delete(config, lifetime)
		})
	},
}

// A server that counts the lifetime in weeks, which is ISO 8601 and not what
// Java's Duration.parse takes: Iceberg's client does not start.
var lifetimeInWeeks = Fault{
	Name:      "advertises the lifetime in weeks",
	Fails:     []string{"lifetime-java"},
	Mentioned: true,
	install:   func(s *server) { s.inside = rewriteConfig(func(config map[string]any) { config[lifetime] = "P1W" }) },
}

const lifetime = "idempotency-key-lifetime"

func rewriteConfig(rewrite func(map[string]any)) middleware {
	return func(catalog http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			a := capture(catalog, r)
			var config map[string]any
			if r.URL.Path == "/v1/config" && json.Unmarshal(a.body, &config) == nil {
				rewrite(config)
				a.body, _ = json.Marshal(config) // it was JSON before
				a.header.Set("Content-Length", strconv.Itoa(len(a.body)))
			}
			a.send(w)
		})
	}
}
