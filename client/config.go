package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	configPath = "/v1/config"
	// maxConfig is the largest configuration that is looked into.
	maxConfig = 1 << 20
	// lifetimeMember is the configuration's member that advertises keys.
	lifetimeMember = "idempotency-key-lifetime"
)

// observe learns from a configuration that passes by. The caller gets the same
// bytes, and the same error at the same place.
func (t *Transport) observe(r *http.Request, response *http.Response) {
	if response.StatusCode != http.StatusOK {
		return
	}
	urls := askedServers(r)
	if len(urls) == 0 {
		return
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxConfig))
	rest := io.Reader(response.Body)
	if err != nil {
		rest = failure{err}
	}
	response.Body = prefixed{io.MultiReader(bytes.NewReader(text), rest), response.Body}
	plain, ok := decoded(response, text)
	if err != nil || len(text) == maxConfig || !ok || !isConfig(plain) {
		return
	}
	lifetime, bad := advertised(plain)
	for _, url := range urls {
		t.registry.learn(url, lifetime, bad)
	}
}

// askedServers returns the URLs of the servers whose configuration a request is for:
// none when it is for something else, and several when http.Client was redirected,
// since the mutations that follow go to the first of them.
func askedServers(r *http.Request) (urls []string) {
	for r.URL != nil && r.URL.Opaque == "" && (r.Method == http.MethodGet || r.Method == "") {
		base, ok := strings.CutSuffix(r.URL.EscapedPath(), configPath)
		if !ok {
			return urls
		}
		urls = append(urls, origin(r)+base)
		if r.Response == nil || r.Response.Request == nil || checkRedirect(r, []*http.Request{r.Response.Request}) != nil {
			return urls
		}
		r = r.Response.Request
	}
	return urls
}

// failure is a reader that has come to an error.
type failure struct{ error }

func (f failure) Read([]byte) (int, error) { return 0, f.error }

// isConfig reports whether a text is a configuration and not any other JSON: it has
// a member of one, or no member at all.
func isConfig(text []byte) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return false
	}
	for _, name := range []string{"defaults", "overrides", "endpoints", lifetimeMember} {
		if _, ok := members[name]; ok {
			return true
		}
	}
	return len(members) == 0
}

// advertised reads the lifetime out of a configuration, 0 when it has none.
func advertised(config []byte) (time.Duration, error) {
	var fields struct {
		Lifetime *string `json:"idempotency-key-lifetime"`
	}
	if err := json.Unmarshal(config, &fields); err != nil {
		return 0, fmt.Errorf("the server's configuration cannot be read: %w", err)
	}
	if fields.Lifetime == nil {
		return 0, nil
	}
	lifetime, err := parseLifetime(*fields.Lifetime)
	if err != nil {
		return 0, fmt.Errorf("the server advertises idempotency-key-lifetime %.100q: %w", *fields.Lifetime, err)
	}
	return lifetime, nil
}
