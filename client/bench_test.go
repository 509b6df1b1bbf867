package client_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/client"
	"github.com/onceberg/onceberg/generated"
)

// answering is a network that takes no time.
type answering struct{ body string }

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	body := a.body
	if r.Method == http.MethodGet {
		body = halfHour
	}
	return &http.Response{
		StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// BenchmarkOverhead is what the Transport costs by itself, over a network that
// takes no time.
func BenchmarkOverhead(b *testing.B) {
	for name, body := range map[string]string{"small": done.body, "1MiB": strings.Repeat(" ", 1<<20)} {
		for _, method := range []string{http.MethodPost, http.MethodHead} {
			b.Run(method+"/"+name, func(b *testing.B) {
				c := benchClient(b, answering{body})
				b.ReportAllocs()
				for b.Loop() {
					benchSend(b, c, method, "http://h")
				}
			})
		}
	}
}

// BenchmarkLoopback compares a mutation through the Transport with the same one
// without it, sent in turns to a server on this machine.
func BenchmarkLoopback(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, halfHour)
	}))
	defer server.Close()
	network := &http.Transport{}
	defer network.CloseIdleConnections()
	bare, safe := &http.Client{Transport: network}, benchClient(b, network)
	var took [2]time.Duration
	for b.Loop() {
		for i, c := range []*http.Client{bare, safe} {
			began := time.Now()
			benchSend(b, c, http.MethodPost, server.URL)
			took[i] += time.Since(began)
		}
	}
	b.ReportMetric(float64(took[0].Nanoseconds())/float64(b.N), "bare-ns/op")
	b.ReportMetric(float64(took[1].Nanoseconds())/float64(b.N), "safe-ns/op")
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "safe/bare")
}

func benchClient(b *testing.B, base http.RoundTripper) *http.Client {
	b.Helper()
	transport, err := client.NewTransport(client.Options{Operations: generated.Operations, Base: base})
	if err != nil {
		b.Fatal(err)
	}
	return &http.Client{Transport: transport}
}

func benchSend(b *testing.B, c *http.Client, method, url string) {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), method, url+"/v1/namespaces", strings.NewReader(`{"namespace":["db"]}`))
	if err != nil {
		b.Fatal(err)
	}
	response, err := c.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		b.Fatal(err)
	}
	_ = response.Body.Close()
}
