// Package authtest is an OpenID issuer for tests: it serves its description and
// its keys, and signs what it is told to.
package authtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// Issuer is an OpenID issuer. URL is its name and JWKSURL where its keys are.
type Issuer struct {
	URL, JWKSURL string

	t       testing.TB
	mu      sync.Mutex
	down    bool
	key     *ecdsa.PrivateKey
	kid     int
	asked   map[string]int
	publish []jose.JSONWebKey
}

// NewIssuer starts an issuer that has one key.
func NewIssuer(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{t: t, asked: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", i.answer(func() any {
		return map[string]any{
			"issuer": i.URL, "jwks_uri": i.JWKSURL,
			"authorization_endpoint": i.URL + "/auth", "id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
		}
	}))
	mux.HandleFunc("/keys", i.answer(func() any { return jose.JSONWebKeySet{Keys: i.publish} }))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.URL, i.JWKSURL = server.URL, server.URL+"/keys"
	i.Rotate(true)
	return i
}

func (i *Issuer) answer(document func() any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.asked[r.URL.Path]++
		if i.down {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(document()); err != nil {
			i.t.Error(err)
		}
	}
}

// SetDown makes the issuer fail, or work again.
func (i *Issuer) SetDown(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Rotate makes a new key to sign with. The old ones are still published unless
// they are forgotten.
func (i *Issuer) Rotate(forget bool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		i.t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kid++
	i.key = key
	if forget {
		i.publish = nil
	}
	i.publish = append(i.publish, jose.JSONWebKey{Key: key.Public(), KeyID: i.keyID(), Use: "sig"})
}

func (i *Issuer) keyID() string { return fmt.Sprintf("key-%d", i.kid) }

// Asked is how often a path was asked for.
func (i *Issuer) Asked(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.asked[path]
}

// PublicKey is the newest key, as anybody can get it.
func (i *Issuer) PublicKey() crypto.PublicKey {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.key.Public()
}

// Token signs claims with the newest key.
func (i *Issuer) Token(claims map[string]any) string {
	i.t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.sign(jose.ES256, i.key, i.keyID(), claims)
}

// TokenBy signs claims with another key, under the name of the newest one.
func (i *Issuer) TokenBy(algorithm jose.SignatureAlgorithm, key any, claims map[string]any) string {
	i.t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.sign(algorithm, key, i.keyID(), claims)
}

func (i *Issuer) sign(algorithm jose.SignatureAlgorithm, key any, kid string, claims map[string]any) string {
	i.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key},
		(&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", kid))
	if err != nil {
		i.t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		i.t.Fatal(err)
	}
	return token
}
