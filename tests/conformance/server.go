package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/onceberg/onceberg/client/clienttest"
	"github.com/onceberg/onceberg/runtime"
)

// server is the target after the first look at it.
type server struct {
	target    Target
	base      string // the target's
	host      string
	proxyBase string // the same through the kit's proxy
	proxy     *clienttest.Proxy
	direct    *http.Transport
	lossy     *http.Transport
	carrier   http.RoundTripper // for the kit's own requests
	abandoned abandonment

	token  string
	prefix string
	config config

	keyless streak   // of the kit's requests that were served without a key alone
	barren  sync.Map // *barren by operation
}

// lifetimeField is the field of the configuration that promises all this.
const lifetimeField = "idempotency-key-lifetime"

// config is what GET /v1/config answers.
type config struct {
	Defaults  map[string]any `json:"defaults"`
	Overrides map[string]any `json:"overrides"`
	Endpoints []string       `json:"endpoints"`
	Lifetime  any            `json:"idempotency-key-lifetime"`
}

// defaultEndpoints are those of a server whose configuration names none.
var defaultEndpoints = []string{
	"GET /v1/{prefix}/namespaces",
	"POST /v1/{prefix}/namespaces",
	"GET /v1/{prefix}/namespaces/{namespace}",
	"DELETE /v1/{prefix}/namespaces/{namespace}",
	"POST /v1/{prefix}/namespaces/{namespace}/properties",
	"GET /v1/{prefix}/namespaces/{namespace}/tables",
	"POST /v1/{prefix}/namespaces/{namespace}/tables",
	"GET /v1/{prefix}/namespaces/{namespace}/tables/{table}",
	"POST /v1/{prefix}/namespaces/{namespace}/tables/{table}",
	"DELETE /v1/{prefix}/namespaces/{namespace}/tables/{table}",
	"POST /v1/{prefix}/namespaces/{namespace}/register",
	"POST /v1/{prefix}/namespaces/{namespace}/tables/{table}/metrics",
	"POST /v1/{prefix}/tables/rename",
	"POST /v1/{prefix}/transactions/commit",
}

// connect reads the server's configuration. The caller closes the server.
func connect(ctx context.Context, target Target, o Options) (_ *server, err error) {
	s := &server{target: target, base: target.base(), token: target.Token, abandoned: newAbandonment()}
	u, err := url.Parse(s.base)
	if err != nil {
		return nil, fmt.Errorf("conformance: the target's URL: %w", err)
	}
	s.host = u.Host
	if s.proxy, err = clienttest.NewProxy(u.Scheme+"://"+u.Host, chooseFault); err != nil {
		return nil, fmt.Errorf("conformance: starting the proxy: %w", err)
	}
	s.proxyBase = s.proxy.URL + u.Path
	// Compression would hide a body's bytes, and a connection that is used again
	// tempts net/http into resending by itself what carries a key.
	s.direct = &http.Transport{MaxIdleConnsPerHost: 2 * (o.Twins + o.Parallel)}
	s.lossy = &http.Transport{DisableKeepAlives: true}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.carrier, err = newCarrier(s.linger(s.direct, o), o); err != nil {
		return nil, err
	}
	if s.token == "" && target.OAuth != nil {
		if s.token, err = s.fetchToken(ctx, o); err != nil {
			return nil, err
		}
	}
	if s.config, err = s.fetchConfig(ctx, o); err != nil {
		return nil, err
	}
	s.prefix = target.Prefix
	if s.prefix == "" {
		s.prefix = s.config.setting("prefix")
	}
	if err = s.admitSecond(ctx, o); err != nil {
		return nil, err
	}
	return s, nil
}

// close also ends what is still under way.
func (s *server) close() {
	s.abandoned.now()
	s.direct.CloseIdleConnections()
	s.lossy.CloseIdleConnections()
	_ = s.proxy.Close()
}

func configCall(target Target) call {
	c := call{method: http.MethodGet, path: "/config", unprefixed: true}
	if target.Warehouse != "" {
		c.query = url.Values{"warehouse": {target.Warehouse}}.Encode()
	}
	return c
}

func (s *server) fetchConfig(ctx context.Context, o Options) (config, error) {
	c := configCall(s.target)
	a := s.exchange(ctx, c, way{carried: true}, o)
	if a.err != nil {
		return config{}, fmt.Errorf("conformance: GET %s%s: %w", s.base, s.path(c), a.err)
	}
	if a.status != http.StatusOK {
		return config{}, fmt.Errorf("conformance: GET %s%s: %v", s.base, s.path(c), a)
	}
	var known config
	if err := json.Unmarshal(a.body, &known); err != nil {
		return config{}, fmt.Errorf("conformance: GET %s%s is no catalog's configuration: %w", s.base, s.path(c), err)
	}
	return known, nil
}

// setting is a property of the configuration, as a client without properties of
// its own would find it.
func (c config) setting(name string) string {
	for _, from := range []map[string]any{c.Overrides, c.Defaults} {
		if text, ok := from[name].(string); ok {
			return text
		}
	}
	return ""
}

// lifetime is what is advertised; empty when nothing is.
func (c config) lifetime() string {
	text, _ := c.Lifetime.(string)
	return text
}

// offers reports whether the server says that it serves an operation.
func (s *server) offers(op *runtime.Operation) bool {
	offered := s.config.Endpoints
	if offered == nil {
		offered = defaultEndpoints
	}
	for _, endpoint := range offered {
		if strings.Join(strings.Fields(endpoint), " ") == op.Endpoint() {
			return true
		}
	}
	return false
}

// fetchToken exchanges the client's credentials for a token.
func (s *server) fetchToken(ctx context.Context, o Options) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	credentials := s.target.OAuth
	endpoint := credentials.URL
	if endpoint == "" {
		endpoint = s.base + "/v1/oauth/tokens"
	}
	scope := credentials.Scope
	if scope == "" {
		scope = "catalog"
	}
	form := url.Values{
		"grant_type": {"client_credentials"}, "scope": {scope},
		"client_id": {credentials.ClientID}, "client_secret": {credentials.ClientSecret},
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return "", errors.New("conformance: the URL of the token endpoint cannot be used")
	}
	for name, values := range s.target.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := s.direct.RoundTrip(request)
	if err != nil {
		return "", fmt.Errorf("conformance: asking for a token: %w", err)
	}
	defer response.Body.Close()
	var granted struct {
		AccessToken string `json:"access_token"`
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("conformance: asking for a token: the answer is %s", response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(&granted); err != nil || granted.AccessToken == "" {
		return "", errors.New("conformance: asking for a token: the answer has no access_token")
	}
	return granted.AccessToken, nil
}
