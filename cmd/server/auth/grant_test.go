package auth_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/cmd/server/auth"
	"github.com/onceberg/onceberg/cmd/server/settings"
	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// counter is a token endpoint behind the generated handlers, as in the server.
type counter struct {
	generated.Unimplemented
	*auth.Auth
}

func (c counter) GetToken(ctx context.Context, _ generated.GetTokenRequestObject) (generated.GetTokenResponseObject, error) {
	return c.Grant(ctx)
}

type tokenRouter struct {
	*echo.Echo
	a *auth.Auth
}

func (r tokenRouter) Add(method, path string, handler echo.HandlerFunc, _ ...echo.MiddlewareFunc) *echo.Route {
	return r.Echo.Add(method, path, handler, r.a.AtTokenEndpoint)
}

// grant asks for a token.
func (d door) grant(form url.Values, headers ...string) (*httptest.ResponseRecorder, map[string]any) {
	d.t.Helper()
	e := echo.New()
	e.HTTPErrorHandler = runtime.ErrorHandler
	guard, err := runtime.NewGuard(nil, runtime.Config{})
	if err != nil {
		d.t.Fatal(err)
	}
	generated.Mount(tokenRouter{e, d.Auth}, counter{Auth: d.Auth}, guard)
	r := httptest.NewRequest(http.MethodPost, "/v1/oauth/tokens", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		d.t.Fatalf("%s: %v", w.Body, err)
	}
	return w, body
}

func credentials(id, secret string) url.Values {
	return url.Values{"grant_type": {"client_credentials"}, "client_id": {id}, "client_secret": {secret}, "scope": {"catalog"}}
}

const accessToken = "urn:ietf:params:oauth:token-type:access_token"

func exchange(token, tokenType string) url.Values {
	return url.Values{
		"grant_type":    {"urn:ietf:params:oauth:grant-type:token-exchange"},
		"subject_token": {token}, "subject_token_type": {tokenType}, "scope": {"catalog"},
	}
}

func basic(id, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(id+":"+secret))
}

const lifetime = time.Hour

// withClients has ann's etl, whose secret is s3cr3t, and bob's odd one.
func withClients(t *testing.T, c *clock) (door, settings.Auth) {
	t.Helper()
	s := settings.Auth{
		Type: settings.AuthTokens, TokenLifetime: lifetime,
		ClientsFile:  writeFile(t, "etl "+hashed("s3cr3t")+" ann\no/d+ "+hashed("a b:%41")+" bob the second\n"),
		TokenKeyFile: writeFile(t, strings.Repeat("k", 32)+"\n"),
	}
	return open(t, s, c.now), s
}

func TestGrant(t *testing.T) {
	t.Parallel()
	c := newClock()
	d, _ := withClients(t, c)
	only := url.Values{"grant_type": {"client_credentials"}}
	for name, test := range map[string]struct {
		form    url.Values
		headers []string
		who     string
	}{
		"form":                       {credentials("etl", "s3cr3t"), nil, "ann"},
		"form with a stale token":    {credentials("etl", "s3cr3t"), []string{"Authorization", "Bearer stale"}, "ann"},
		"header":                     {only, []string{"Authorization", basic("etl", "s3cr3t")}, "ann"},
		"header as the RFC has it":   {only, []string{"Authorization", basic(url.QueryEscape("o/d+"), url.QueryEscape("a b:%41"))}, "bob the second"},
		"header as most clients do":  {only, []string{"Authorization", basic("o/d+", "a b:%41")}, "bob the second"},
		"both":                       {credentials("etl", "s3cr3t"), []string{"Authorization", basic("etl", "s3cr3t")}, "ann"},
		"form with odd text":         {credentials("o/d+", "a b:%41"), nil, "bob the second"},
		"header and id, as some do":  {url.Values{"grant_type": {"client_credentials"}, "client_id": {"etl"}}, []string{"Authorization", basic("etl", "s3cr3t")}, "ann"},
		"parameters that nobody has": {url.Values{"grant_type": {"client_credentials"}, "client_id": {"etl"}, "client_secret": {"s3cr3t"}, "resource": {"x"}}, nil, "ann"},
	} {
		w, body := d.grant(test.form, test.headers...)
		token, _ := body["access_token"].(string)
		if w.Code != 200 || body["token_type"] != "bearer" || body["expires_in"] != lifetime.Seconds() ||
			body["issued_token_type"] != "urn:ietf:params:oauth:token-type:access_token" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v %v", name, w.Code, w.Header(), body)
		}
		if scope, sent := body["scope"]; sent != (test.form.Get("scope") != "") || sent && scope != test.form.Get("scope") {
			t.Errorf("%s: the scope is %v", name, scope)
		}
		if status, who, _ := d.knock(token); status != 200 || who != test.who {
			t.Errorf("%s: %d %s", name, status, who)
		}
	}
}

func TestNoGrant(t *testing.T) {
	t.Parallel()
	d, _ := withClients(t, newClock())
	with := func(name string, values ...string) url.Values {
		form := credentials("etl", "s3cr3t")
		form[name] = values
		return form
	}
	for name, test := range map[string]struct {
		form    url.Values
		headers []string
		status  int
		code    string
	}{
		"wrong secret":            {credentials("etl", "S3cr3t"), nil, 401, "invalid_client"},
		"another's secret":        {credentials("etl", "a b:%41"), nil, 401, "invalid_client"},
		"no such client":          {credentials("none", "s3cr3t"), nil, 401, "invalid_client"},
		"no client":               {with("client_id"), nil, 401, "invalid_client"},
		"no secret":               {with("client_secret"), nil, 401, "invalid_client"},
		"empty secret":            {with("client_secret", ""), nil, 401, "invalid_client"},
		"no such client, none":    {credentials("none", ""), nil, 401, "invalid_client"},
		"digest as the secret":    {credentials("etl", hashed("s3cr3t")), nil, 401, "invalid_client"},
		"wrong header":            {url.Values{"grant_type": {"client_credentials"}}, []string{"Authorization", basic("etl", "x")}, 401, "invalid_client"},
		"half a header":           {url.Values{"grant_type": {"client_credentials"}}, []string{"Authorization", "Basic !"}, 401, "invalid_client"},
		"two credentials":         {credentials("etl", "s3cr3t"), []string{"Authorization", basic("etl", "x")}, 400, "invalid_request"},
		"no grant type":           {with("grant_type"), nil, 400, "invalid_request"},
		"nothing":                 {nil, nil, 400, "invalid_request"},
		"twice":                   {with("client_secret", "s3cr3t", "s3cr3t"), nil, 400, "invalid_request"},
		"password":                {with("grant_type", "password"), nil, 400, "unsupported_grant_type"},
		"exchange without secret": {exchange("x", accessToken), nil, 400, "unsupported_grant_type"},
		"exchange of an id token": {exchange("x", "urn:ietf:params:oauth:token-type:id_token"), []string{"Authorization", basic("etl", "s3cr3t")}, 400, "unsupported_grant_type"},
		"exchange of nothing":     {exchange("", accessToken), []string{"Authorization", basic("etl", "s3cr3t")}, 400, "invalid_request"},
		"exchange by nobody":      {exchange("x", accessToken), []string{"Authorization", basic("etl", "x")}, 401, "invalid_client"},
		"bad scope":               {with("scope", "a\"b"), nil, 400, "invalid_scope"},
		"media type":              {credentials("etl", "s3cr3t"), []string{"Content-Type", "application/json"}, 415, "invalid_request"},
	} {
		w, body := d.grant(test.form, test.headers...)
		description, _ := body["error_description"].(string)
		if w.Code != test.status || body["error"] != test.code || description == "" || len(body) != 2 {
			t.Errorf("%s: %d %v", name, w.Code, body)
		}
		if strings.Contains(w.Body.String(), "s3cr3t") {
			t.Errorf("%s: the answer has the secret: %s", name, w.Body)
		}
		asked := len(test.headers) > 0 && strings.HasPrefix(test.headers[1], "Basic") && test.headers[1] != "Basic !"
		if got := w.Header().Get("WWW-Authenticate"); (got != "") != (asked && w.Code == 401) {
			t.Errorf("%s: WWW-Authenticate is %q", name, got)
		}
	}
}

// Java's client before release 1.10 renews a token by exchanging it, and after that
// was refused by exchanging it with its secret in the header, expired or not.
func TestRenewalByExchange(t *testing.T) {
	t.Parallel()
	c := newClock()
	_, s := withClients(t, c)
	s.TokensFile = writeFile(t, hashed("static-token-of-ann")+" ann\n"+hashed("static-token-of-bob")+" bob the second\n")
	d := open(t, s, c.now)
	first, bobs := d.token(credentials("etl", "s3cr3t")), d.token(credentials("o/d+", "a b:%41"))
	s.TokenKeyFile = ""
	foreign := open(t, s, c.now)
	strangers := foreign.token(credentials("etl", "s3cr3t"))
	renew := func(token string, headers ...string) (int, string) {
		w, body := d.grant(exchange(token, accessToken), headers...)
		fresh, _ := body["access_token"].(string)
		return w.Code, fresh
	}
	for _, pass := range []time.Duration{lifetime / 2, lifetime} {
		c.advance(pass)
		if status, _ := renew(first, "Authorization", "Bearer "+first); status != 400 {
			t.Errorf("the token alone: %d", status)
		}
		status, fresh := renew(first, "Authorization", basic("etl", "s3cr3t"))
		if knocked, who, _ := d.knock(fresh); status != 200 || knocked != 200 || who != "ann" {
			t.Errorf("with the secret: %d, and then %d %s", status, knocked, who)
		}
		for what, token := range map[string]string{
			"another's": bobs, "another's static one": "static-token-of-bob", "another server's": strangers, "no token": "x",
		} {
			if status, _ := renew(token, "Authorization", basic("etl", "s3cr3t")); status != 400 {
				t.Errorf("%s: %d", what, status)
			}
		}
	}
	if status, _ := renew("static-token-of-ann", "Authorization", basic("etl", "s3cr3t")); status != 200 {
		t.Errorf("a static token of the same caller: %d", status)
	}
}

func (d door) token(form url.Values) string {
	d.t.Helper()
	w, body := d.grant(form)
	token, ok := body["access_token"].(string)
	if !ok {
		d.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return token
}

// Every node with the key takes a token, until it has expired or its client is
// gone; a key can be replaced step by step.
func TestIssuedTokens(t *testing.T) {
	t.Parallel()
	c := newClock()
	d, s := withClients(t, c)
	node := open(t, s, c.now)
	s.TokenKeyFile = ""
	stranger := open(t, s, c.now)
	old := d.token(credentials("etl", "s3cr3t"))
	want := func(where door, token string, status int, text string) {
		t.Helper()
		if got, who, _ := where.knock(token); got != status || who != text {
			t.Errorf("%d %s, not %d %s", got, who, status, text)
		}
	}
	const notValid, expired = "The bearer token is not valid", "The bearer token has expired"
	want(node, old, 200, "ann")
	want(stranger, old, 401, notValid)
	want(stranger, stranger.token(credentials("etl", "s3cr3t")), 200, "ann")
	want(node, stranger.token(credentials("etl", "s3cr3t")), 401, notValid)

	_, s = withClients(t, c)
	d = open(t, s, c.now)
	rewrite(t, s.TokenKeyFile, strings.Repeat("n", 32)+"\n"+strings.Repeat("k", 32)+"\n")
	if err := d.Reload(); err != nil {
		t.Fatal(err)
	}
	fresh := d.token(credentials("etl", "s3cr3t"))
	want(d, old, 200, "ann")
	want(d, fresh, 200, "ann")
	rewrite(t, s.TokenKeyFile, strings.Repeat("n", 32)+"\n")
	rewrite(t, s.ClientsFile, "etl "+hashed("another")+" ann\n")
	if err := d.Reload(); err != nil {
		t.Fatal(err)
	}
	want(d, old, 401, notValid)
	want(d, fresh, 200, "ann")
	c.advance(lifetime - time.Second)
	want(d, fresh, 200, "ann")
	for _, clients := range []string{"etl " + hashed("s3cr3t") + " bob\n", "etl2 " + hashed("s3cr3t") + " ann\n"} {
		rewrite(t, s.ClientsFile, clients)
		if err := d.Reload(); err != nil {
			t.Fatal(err)
		}
		want(d, fresh, 401, notValid)
	}
	rewrite(t, s.ClientsFile, "etl "+hashed("another")+" ann\n")
	if err := d.Reload(); err != nil {
		t.Fatal(err)
	}
	c.advance(time.Second)
	want(d, fresh, 401, expired)
}

// What has been signed with the key for something else, or says less than a
// token does, is none.
func TestForeignTokens(t *testing.T) {
	t.Parallel()
	c := newClock()
	d, _ := withClients(t, c)
	key := []byte(strings.Repeat("k", 32))
	sign := func(algorithm jose.SignatureAlgorithm, typ jose.ContentType, key []byte, claims map[string]any) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithType(typ))
		if err != nil {
			t.Fatal(err)
		}
		token, err := jwt.Signed(signer).Claims(claims).Serialize()
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	good := map[string]any{"sub": "ann", "client_id": "etl", "exp": c.now().Add(time.Hour).Unix()}
	if status, text, _ := d.knock(sign(jose.HS256, "onceberg+jwt", key, good)); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	parts := strings.Split(sign(jose.HS256, "onceberg+jwt", key, good), ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"onceberg+jwt"}`))
	for name, token := range map[string]string{
		"another type":      sign(jose.HS256, "JWT", key, good),
		"another key":       sign(jose.HS256, "onceberg+jwt", []byte(strings.Repeat("x", 32)), good),
		"another algorithm": sign(jose.HS512, "onceberg+jwt", []byte(strings.Repeat("k", 64)), good),
		"no algorithm":      none + "." + parts[1] + ".",
		"no client":         sign(jose.HS256, "onceberg+jwt", key, map[string]any{"sub": "ann", "exp": good["exp"]}),
		"no principal":      sign(jose.HS256, "onceberg+jwt", key, map[string]any{"client_id": "etl", "exp": good["exp"]}),
		"another principal": sign(jose.HS256, "onceberg+jwt", key, map[string]any{"sub": "bob", "client_id": "etl", "exp": good["exp"]}),
		"no token":          "abc",
	} {
		if status, text, _ := d.knock(token); status != 401 || text != "The bearer token is not valid" {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if status, text, _ := d.knock(sign(jose.HS256, "onceberg+jwt", key, map[string]any{"sub": "ann", "client_id": "etl"})); status != 401 {
		t.Errorf("a token without an end: %d %s", status, text)
	}
}
