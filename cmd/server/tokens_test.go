package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/cmd/server/auth/authtest"
)

// Case A8: an expired token is no outcome of the request. A fresh one executes it
// under the same key, and another one later gets the answer.
func TestExpiredToken(t *testing.T) {
	t.Parallel()
	issuer := authtest.NewIssuer(t)
	p := start(t, "--idempotency.enabled", inRecords, "--auth.type=oidc", "--auth.oidc.issuer", issuer.URL,
		"--auth.oidc.audience=onceberg", "--auth.oidc.principal-claim=client")
	token := func(from time.Duration, client string) string {
		return issuer.Token(map[string]any{
			"iss": issuer.URL, "aud": "onceberg", "client": client, "exp": time.Now().Add(from).Unix(), "jti": newKey(t),
		})
	}
	key := newKey(t)
	for i, c := range []struct {
		token    string
		status   int
		replayed string
	}{
		{token(-time.Hour, "ann"), 401, ""},
		{"no token", 401, ""},
		{token(time.Hour, "ann"), 200, ""},
		{token(time.Hour, "ann"), 200, "true"},
		{token(-time.Hour, "ann"), 401, ""},
		{token(time.Hour, "bob"), 422, ""},
	} {
		a := p.do(http.MethodPost, "/v1/namespaces", `{"namespace":["a"]}`, "Idempotency-Key", key, "Authorization", "Bearer "+c.token)
		if a.status != c.status || a.header.Get("Idempotency-Replayed") != c.replayed || strings.Contains(a.text, c.token) {
			t.Errorf("request %d: %d %v %s", i, a.status, a.header, a.text)
		}
		if c.status == 401 && a.typ() != "NotAuthorizedException" {
			t.Errorf("request %d: %s", i, a.text)
		}
	}
	if log := p.stderr.String(); strings.Contains(log, "eyJ") {
		t.Errorf("a token is in the log:\n%s", log)
	}
}

// An issuer that is out of reach is no reason to throw a token away.
func TestIssuerOutOfReach(t *testing.T) {
	t.Parallel()
	issuer := authtest.NewIssuer(t)
	issuer.SetDown(true)
	p := start(t, "--auth.type=oidc", "--auth.oidc.issuer", issuer.URL, "--auth.oidc.audience=onceberg")
	token := issuer.Token(map[string]any{"iss": issuer.URL, "aud": "onceberg", "sub": "ann", "exp": time.Now().Add(time.Hour).Unix()})
	a := p.do(http.MethodGet, "/v1/namespaces", "", "Authorization", "Bearer "+token)
	if a.status != 503 || a.header.Get("Retry-After") == "" || a.typ() != "ServiceUnavailableException" {
		t.Errorf("%d %v %s", a.status, a.header, a.text)
	}
	if log := p.stderr.String(); !strings.Contains(log, "auth.oidc.issuer") || strings.Contains(log, token) {
		t.Errorf("the log does not say what is wrong, or has the token:\n%s", log)
	}
}

func (p *process) endpoints() []any {
	p.t.Helper()
	a := p.do(http.MethodGet, "/v1/config", "")
	list, _ := a.body["endpoints"].([]any)
	return list
}

const tokenEndpoint = "POST /v1/oauth/tokens"

// askForToken goes around what watches the others: that cannot read the body,
// which is a form and one of two schemas.
func (p *process) askForToken(form string) answer {
	p.t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	response, err := client.Post(p.url+"/v1/oauth/tokens", "application/x-www-form-urlencoded", strings.NewReader(form))
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	a := answer{status: response.StatusCode, header: response.Header, text: string(text)}
	if err := json.Unmarshal(text, &a.body); err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
	return a
}

// What Iceberg's clients do that have a credential: they get a token, ask what
// the server can, and go on with the token. Nothing of it is in the log.
func TestTokenEndpoint(t *testing.T) {
	t.Parallel()
	clients := writeFile(t, "clients", "etl "+tokenLine("s3cr3t", "ann"))
	p := start(t, "--idempotency.enabled", "--auth.type=tokens", "--auth.clients-file", clients)
	form := func(secret string) string {
		return url.Values{"grant_type": {"client_credentials"}, "client_id": {"etl"}, "client_secret": {secret}, "scope": {"catalog"}}.Encode()
	}
	ask := func(secret string) answer { return p.askForToken(form(secret)) }
	if a := ask("wrong"); a.status != 401 || a.body["error"] != "invalid_client" || len(a.body) != 2 {
		t.Errorf("%d %s", a.status, a.text)
	}
	a := ask("s3cr3t")
	token, _ := a.body["access_token"].(string)
	if a.status != 200 || token == "" || a.body["token_type"] != "bearer" || a.body["expires_in"] != 3600.0 || a.body["scope"] != "catalog" {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if a := p.do(http.MethodGet, "/v1/config", ""); a.status != 401 {
		t.Errorf("without a token: %d %s", a.status, a.text)
	}
	config := p.do(http.MethodGet, "/v1/config", "", "Authorization", "Bearer "+token)
	endpoints, _ := config.body["endpoints"].([]any)
	defaults, _ := config.body["defaults"].(map[string]any)
	if config.status != 200 || !slices.Contains(endpoints, any(tokenEndpoint)) || defaults["token-exchange-enabled"] != "false" {
		t.Errorf("%d %s", config.status, config.text)
	}
	key := newKey(t)
	for _, replayed := range []string{"", "true"} {
		a := p.do(http.MethodPost, "/v1/namespaces", `{"namespace":["a"]}`, "Authorization", "Bearer "+token, "Idempotency-Key", key)
		if a.status != 200 || a.header.Get("Idempotency-Replayed") != replayed {
			t.Errorf("%d %v %s", a.status, a.header, a.text)
		}
		token, _ = ask("s3cr3t").body["access_token"].(string)
	}
	if log := p.stderr.String(); strings.Contains(log, "s3cr3t") || strings.Contains(log, token) {
		t.Errorf("a secret is in the log:\n%s", log)
	}
}

// Where no clients are configured there is no endpoint, and nobody is told of
// one.
func TestNoTokenEndpoint(t *testing.T) {
	t.Parallel()
	tokens := writeFile(t, "tokens", tokenLine("token-of-ann", "ann"))
	for _, args := range [][]string{nil, {"--auth.type=tokens", "--auth.tokens-file", tokens}} {
		p := start(t, args...)
		a := p.askForToken("grant_type=client_credentials&client_id=a&client_secret=b")
		if a.status != 501 || !strings.Contains(a.text, "oauth2-server-uri") || slices.Contains(p.endpoints(), any(tokenEndpoint)) {
			t.Errorf("%d %s", a.status, a.text)
		}
	}
}

// A new certificate is shown to the next connection; a bad one to nobody.
func TestRenewedCertificate(t *testing.T) {
	cert, key := selfSigned(t)
	p := start(t, "--tls.cert", cert, "--tls.key", key)
	shown := func() *x509.Certificate {
		t.Helper()
		conn, err := tls.Dial("tcp", strings.TrimPrefix(p.url, "https://"), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0]
	}
	first := shown()
	newCert, newKeyFile := selfSigned(t)
	move := func(from, to string) {
		t.Helper()
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		rewrite(t, to, string(content))
	}
	move(newCert, cert)
	p.hangUp(notReread) // its key is still the old one
	if !shown().Equal(first) {
		t.Error("half a certificate is shown")
	}
	move(newKeyFile, key)
	p.hangUp(reread)
	if shown().Equal(first) {
		t.Error("the old certificate is still shown")
	}
}
