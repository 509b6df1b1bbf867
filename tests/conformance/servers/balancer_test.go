package servers

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// balance serves the nodes behind one URL until the test ends: each request goes
// to the next of them, so that a retry never meets the node of its first attempt.
// A client that hangs up is gone for the node as well.
func balance(t *testing.T, nodes []string) string {
	t.Helper()
	targets := make([]*url.URL, len(nodes))
	for i, node := range nodes {
		target, err := url.Parse(node)
		if err != nil {
			t.Fatal(err)
		}
		targets[i] = target
	}
	var turn atomic.Int64
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	s := httptest.NewServer(&httputil.ReverseProxy{
		Transport: transport,
		ErrorLog:  slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn), // clients hang up all the time
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(targets[int(turn.Add(1))%len(targets)])
			r.Out.Host = r.In.Host
		},
	})
	t.Cleanup(func() {
		s.Close()
		transport.CloseIdleConnections()
	})
	return s.URL
}
