package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func tokenLine(token, principal string) string {
	return fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(token)), principal)
}

func TestBearerTokens(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "tokens", "# who may call\n\n"+tokenLine("token-of-ann", "ann")+tokenLine("renewed-token-of-ann", "ann")+
		tokenLine("token-of-bob", "bob the second"))
	p := start(t, "--idempotency.enabled", "--auth.type", "tokens", "--auth.tokens-file", file)
	for header, status := range map[string]int{
		"Bearer token-of-ann": 200, "bearer token-of-ann": 200, "Bearer  token-of-ann": 200,
		"": 401, "Bearer": 401, "Bearer ": 401, "Bearer nobodys": 401, "Basic token-of-ann": 401, "token-of-ann": 401,
	} {
		a := p.do(http.MethodGet, "/v1/config", "", "Authorization", header)
		if a.status != status {
			t.Errorf("%q: %d %s", header, a.status, a.text)
		}
		if status == 401 && (a.typ() != "NotAuthorizedException" || !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer")) {
			t.Errorf("%q: %v %s", header, a.header, a.text)
		}
	}
	for _, path := range []string{"/healthz", "/metrics"} {
		if a := p.do(http.MethodGet, path, ""); a.status != 200 {
			t.Errorf("%s needs a token: %d", path, a.status)
		}
	}
	p.becomesReady()
	body, key := `{"namespace":["a"]}`, newKey(t)
	create := func(token string) answer {
		return p.do(http.MethodPost, "/v1/namespaces", body, "Idempotency-Key", key, "Authorization", "Bearer "+token)
	}
	// A refusal leaves the key free, a renewed token is the same caller, and
	// another caller's key is not a way to the first one's answer.
	for i, c := range []struct {
		token    string
		status   int
		replayed string
	}{
		{"expired", 401, ""}, {"token-of-ann", 200, ""}, {"renewed-token-of-ann", 200, "true"}, {"token-of-bob", 422, ""},
	} {
		if a := create(c.token); a.status != c.status || a.header.Get("Idempotency-Replayed") != c.replayed {
			t.Errorf("request %d: %d %v %s", i, a.status, a.header, a.text)
		}
	}
	p.stop()
	log := p.stderr.String()
	for _, secret := range []string{"token-of-ann", "token-of-bob", "nobodys"} {
		if strings.Contains(log, secret) {
			t.Errorf("%s is in the log:\n%s", secret, log)
		}
	}
	if !strings.Contains(log, "principal=ann") {
		t.Errorf("the log does not say who called:\n%s", log)
	}
}

// A file that cannot be understood stops the start with a message that names the
// key and quotes nothing.
func TestBadAuthFiles(t *testing.T) {
	t.Parallel()
	tokens := writeFile(t, "tokens", tokenLine("a", "ann"))
	bad := writeFile(t, "bad", "\ns3cr3t\n")
	for key, args := range map[string][]string{
		"auth.tokens-file":    {"--auth.type=tokens"},
		"auth.clients-file":   {"--auth.type=tokens", "--auth.tokens-file", tokens},
		"auth.token-key-file": {"--auth.type=tokens", "--auth.clients-file", writeFile(t, "clients", "c "+tokenLine("s", "ann"))},
		"auth.rules-file":     nil,
	} {
		code, _, stderr := run(t, append(args, "--listen=127.0.0.1:0", "--"+key, bad)...)
		if code != exitFailure || !strings.Contains(stderr, key+": "+bad+":") || strings.Contains(stderr, "s3cr3t") {
			t.Errorf("%s: exit code %d\n%s", key, code, stderr)
		}
	}
}
