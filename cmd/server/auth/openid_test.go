package auth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/onceberg/onceberg/cmd/server/auth/authtest"
	"github.com/onceberg/onceberg/cmd/server/settings"
)

const skew = time.Minute

func openIDSettings(issuer string) settings.Auth {
	s := settings.Auth{Type: settings.AuthOIDC}
	s.OIDC.Issuer, s.OIDC.Audience, s.OIDC.PrincipalClaim, s.OIDC.ClockSkew = issuer, "onceberg", "sub", skew
	return s
}

// claims are good ones but for what is changed; nil takes one away.
func claims(i *authtest.Issuer, c *clock, changed map[string]any) map[string]any {
	all := map[string]any{"iss": i.URL, "aud": "onceberg", "sub": "ann", "exp": c.now().Add(time.Hour).Unix(), "iat": c.now().Unix()}
	maps.Copy(all, changed)
	maps.DeleteFunc(all, func(_ string, value any) bool { return value == nil })
	return all
}

func TestOpenIDClaims(t *testing.T) {
	t.Parallel()
	i, c := authtest.NewIssuer(t), newClock()
	d := open(t, openIDSettings(i.URL), c.now)
	at := func(from time.Duration) int64 { return c.now().Add(from).Unix() }
	for name, test := range map[string]struct {
		changed map[string]any
		status  int
		text    string
	}{
		"good":                      {nil, 200, "ann"},
		"one audience of many":      {map[string]any{"aud": []string{"x", "onceberg"}}, 200, "ann"},
		"expired within the skew":   {map[string]any{"exp": at(-skew + time.Second)}, 200, "ann"},
		"expired":                   {map[string]any{"exp": at(-skew)}, 401, "The bearer token has expired"},
		"expired for long":          {map[string]any{"exp": 1}, 401, "The bearer token has expired"},
		"no end":                    {map[string]any{"exp": nil}, 401, "The bearer token is not valid"},
		"begins within the skew":    {map[string]any{"nbf": at(skew)}, 200, "ann"},
		"begins later":              {map[string]any{"nbf": at(skew + time.Second)}, 401, "The bearer token is not valid"},
		"begins at no time":         {map[string]any{"nbf": "soon"}, 401, "The bearer token is not valid"},
		"other issuer":              {map[string]any{"iss": "https://elsewhere.example.com"}, 401, "The bearer token is not valid"},
		"issuer with a slash more":  {map[string]any{"iss": i.URL + "/"}, 401, "The bearer token is not valid"},
		"no issuer":                 {map[string]any{"iss": nil}, 401, "The bearer token is not valid"},
		"other audience":            {map[string]any{"aud": "another"}, 401, "The bearer token is not valid"},
		"no audience":               {map[string]any{"aud": nil}, 401, "The bearer token is not valid"},
		"nobody":                    {map[string]any{"sub": nil}, 401, "The bearer token is not valid"},
		"nobody's name":             {map[string]any{"sub": ""}, 401, "The bearer token is not valid"},
		"name that is not a string": {map[string]any{"sub": 7}, 401, "The bearer token is not valid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, text, header := d.knock(i.Token(claims(i, c, test.changed)))
			if status != test.status || text != test.text {
				t.Errorf("%d %s", status, text)
			}
			if status == 401 && header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
				t.Errorf("%v", header)
			}
		})
	}
}

// The caller is who the configured claim says.
func TestOpenIDPrincipal(t *testing.T) {
	t.Parallel()
	i, c := authtest.NewIssuer(t), newClock()
	s := openIDSettings(i.URL)
	s.OIDC.PrincipalClaim = "client"
	d := open(t, s, c.now)
	if status, text, _ := d.knock(i.Token(claims(i, c, map[string]any{"client": "etl"}))); status != 200 || text != "etl" {
		t.Errorf("%d %s", status, text)
	}
	if status, text, _ := d.knock(i.Token(claims(i, c, nil))); status != 401 {
		t.Errorf("%d %s", status, text)
	}
}

// Nothing counts but a signature that only the issuer can make.
func TestOpenIDForgeries(t *testing.T) {
	t.Parallel()
	i, c := authtest.NewIssuer(t), newClock()
	d := open(t, openIDSettings(i.URL), c.now)
	good := claims(i, c, nil)
	another, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(i.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	jwk, err := json.Marshal(jose.JSONWebKey{Key: i.PublicKey()})
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(i.Token(good), ".")
	payload, err := json.Marshal(claims(i, c, map[string]any{"sub": "bob"}))
	if err != nil {
		t.Fatal(err)
	}
	forged := base64.RawURLEncoding.EncodeToString(payload)
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
	for name, token := range map[string]string{
		"another's key":            i.TokenBy(jose.ES256, another, good),
		"another kind of key":      i.TokenBy(jose.RS256, rsaKey, good),
		"HS256 by the public PEM":  i.TokenBy(jose.HS256, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), good),
		"HS256 by the public DER":  i.TokenBy(jose.HS256, der, good),
		"HS256 by the public JWK":  i.TokenBy(jose.HS256, jwk, good),
		"no algorithm":             none + "." + parts[1] + ".",
		"no algorithm, signed":     none + "." + parts[1] + "." + parts[2],
		"other claims":             parts[0] + "." + forged + "." + parts[2],
		"no signature":             parts[0] + "." + parts[1] + ".",
		"two parts":                parts[0] + "." + parts[1],
		"no token at all":          "abc",
		"JSON":                     `{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`,
		"a name that is a traitor": "../../etc/passwd",
	} {
		status, text, _ := d.knock(token)
		if status != 401 || text != "The bearer token is not valid" {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if status, text, _ := d.knock(strings.Join(parts, ".")); status != 200 || text != "ann" {
		t.Errorf("%d %s", status, text)
	}
}

// New keys are found when a token has one, and keys that are gone do not count
// for ever. Made-up keys do not make this server ask for each.
func TestOpenIDRotation(t *testing.T) {
	t.Parallel()
	i, c := authtest.NewIssuer(t), newClock()
	d := open(t, openIDSettings(i.URL), c.now)
	old := i.Token(claims(i, c, nil))
	for range 3 {
		if status, text, _ := d.knock(old); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
	}
	if described, keys := i.Asked("/.well-known/openid-configuration"), i.Asked("/keys"); described != 1 || keys != 1 {
		t.Errorf("asked %d and %d times", described, keys)
	}
	i.Rotate(false)
	fresh := i.Token(claims(i, c, nil))
	c.advance(time.Second)
	for _, token := range []string{fresh, old} {
		if status, text, _ := d.knock(token); status != 200 {
			t.Errorf("%d %s", status, text)
		}
	}
	i.Rotate(true)
	c.advance(time.Second)
	if status, text, _ := d.knock(i.Token(claims(i, c, nil))); status != 200 {
		t.Errorf("%d %s", status, text)
	}
	before := i.Asked("/keys")
	for range 5 {
		if status, text, _ := d.knock(old); status != 401 {
			t.Errorf("a key that is gone: %d %s", status, text)
		}
	}
	if asked := i.Asked("/keys"); asked != before {
		t.Errorf("%d questions for the same keys within a second", asked-before)
	}
}

// An issuer that is out of reach makes a 503 and not a 401, and is found again.
// What can be checked without it is.
func TestOpenIDOutage(t *testing.T) {
	t.Parallel()
	i, c := authtest.NewIssuer(t), newClock()
	d := open(t, openIDSettings(i.URL), c.now)
	token := i.Token(claims(i, c, nil))
	i.SetDown(true)
	for range 3 {
		status, text, header := d.knock(token)
		if status != 503 || header.Get("Retry-After") != "2" || strings.Contains(text, i.URL) {
			t.Errorf("%d %s %v", status, text, header)
		}
	}
	if asked := i.Asked("/.well-known/openid-configuration"); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	i.SetDown(false)
	c.advance(2 * time.Second)
	if status, text, _ := d.knock(token); status != 200 {
		t.Fatalf("afterwards: %d %s", status, text)
	}
	i.SetDown(true)
	c.advance(time.Minute)
	if status, text, _ := d.knock(token); status != 200 {
		t.Errorf("with known keys: %d %s", status, text)
	}
	i.Rotate(false)
	if status, text, header := d.knock(i.Token(claims(i, c, nil))); status != 503 || header.Get("Retry-After") == "" {
		t.Errorf("with an unknown key: %d %s %v", status, text, header)
	}
}

func TestOpenIDKeysByURL(t *testing.T) {
	t.Parallel()
	i, c := authtest.NewIssuer(t), newClock()
	s := openIDSettings("https://nowhere.invalid")
	s.OIDC.JWKSURL = i.JWKSURL
	d := open(t, s, c.now)
	token := i.Token(claims(i, c, map[string]any{"iss": s.OIDC.Issuer}))
	if status, text, _ := d.knock(token); status != 200 || i.Asked("/.well-known/openid-configuration") != 0 {
		t.Errorf("%d %s", status, text)
	}
}

// What is no issuer, or another one, is none that this server believes.
func TestOpenIDBadIssuers(t *testing.T) {
	t.Parallel()
	i, c := authtest.NewIssuer(t), newClock()
	for name, document := range map[string]string{
		"another issuer": `{"issuer":"https://elsewhere.example.com","jwks_uri":"` + i.JWKSURL + `"}`,
		"no keys":        `{"issuer":"URL"}`,
		"no JSON":        `hello`,
		"no end":         `{"issuer":"URL","jwks_uri":"` + i.JWKSURL + `","x":"` + strings.Repeat("x", 2<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var server *httptest.Server
			server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Write([]byte(strings.ReplaceAll(document, "URL", server.URL)))
			}))
			defer server.Close()
			d := open(t, openIDSettings(server.URL), c.now)
			defer d.Close()
			if status, text, _ := d.knock(i.Token(claims(i, c, map[string]any{"iss": server.URL}))); status != 503 {
				t.Errorf("%d %s", status, text)
			}
		})
	}
}
