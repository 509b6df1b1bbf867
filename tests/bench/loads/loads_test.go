//go:build interop

package loads

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/catalog/metadata/metadatatest"
	"github.com/onceberg/onceberg/internal/testproc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testproc.Main(m)) }

// snapshots is how many the table has.
const snapshots = 1000

// loads is how many one server answers for one row of the table, in so many
// turns. A quarter more is thrown away before, for Java to compile what it runs.
var loads = flag.Int("loads", 2000, "loads of each kind by each server")

const turns = 4

// clients are how many load at once.
var clients = []int{1, 16}

// shape is a way to load the table.
type shape struct {
	name, query string
	// tagged sends the tag of the answer before, which makes the next one a 304.
	tagged bool
}

var shapes = []shape{{name: "all"}, {name: "refs", query: "?snapshots=refs"}, {name: "304", tagged: true}}

// BenchmarkLoadTable compares the two servers; a ratio above one is in our favour.
func BenchmarkLoadTable(b *testing.B) {
	location := write(b, metadatatest.Grown("file:///warehouse/ns/t", snapshots))
	ours, theirs := newSubject(b, startOurs(b), location), newSubject(b, startTheirs(b), location)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "load\tclients\tbytes\tloads/s\tp50\tp99\tApache's: bytes\tloads/s\tp50\tp99\tratio\t")
	for _, shape := range shapes {
		for _, n := range clients {
			b.Run(fmt.Sprintf("%s/clients=%d", shape.name, n), func(b *testing.B) {
				for range b.N {
					us, them := compare(b, ours, theirs, shape, n)
					fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%.1f\t\n", shape.name, n, us, them, us.rate()/them.rate())
					b.ReportMetric(us.rate(), "ours/s")
					b.ReportMetric(them.rate(), "theirs/s")
					b.ReportMetric(us.rate()/them.rate(), "ratio")
					b.ReportMetric(0, "ns/op")
				}
			})
		}
	}
	w.Flush()
	fmt.Fprint(os.Stdout, &table)
}

// compare has the servers load in turns.
func compare(b *testing.B, ours, theirs *subject, shape shape, clients int) (us, them result) {
	each := max(*loads/turns, 1)
	for _, s := range []*subject{ours, theirs} {
		s.load(b, shape, clients, each)
	}
	for range turns {
		us.add(ours.load(b, shape, clients, each))
		them.add(theirs.load(b, shape, clients, each))
	}
	return us, them
}

// subject is a server that has the table.
type subject struct {
	url    string
	client *http.Client
}

func newSubject(b *testing.B, url, location string) *subject {
	b.Helper()
	transport := newTransport()
	b.Cleanup(transport.CloseIdleConnections)
	s := &subject{url: url, client: &http.Client{Transport: transport, Timeout: time.Minute}}
	s.post(b, "/v1/namespaces", `{"namespace":["ns"]}`)
	s.post(b, "/v1/namespaces/ns/register", `{"name":"t","metadata-location":"`+location+`"}`)
	return s
}

func (s *subject) post(b *testing.B, path, body string) {
	b.Helper()
	response, err := s.client.Post(s.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		b.Fatalf("%s: %d %s", path, response.StatusCode, text)
	}
}

// load loads the table so many times, by so many clients at once.
func (s *subject) load(b *testing.B, shape shape, clients, loads int) (r result) {
	b.Helper()
	tag, _ := s.once(b, shape, "")
	if !shape.tagged {
		tag = ""
	}
	times := make([]time.Duration, loads)
	var next, bytes atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range clients {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(loads); i = next.Add(1) - 1 {
				one := time.Now()
				_, n := s.once(b, shape, tag)
				times[i] = time.Since(one)
				bytes.Add(n)
			}
		})
	}
	all.Wait()
	return result{times: times, took: time.Since(began), bytes: bytes.Load()}
}

// once loads the table, and returns the tag and the length of the answer.
func (s *subject) once(b *testing.B, shape shape, tag string) (string, int64) {
	request, err := http.NewRequest(http.MethodGet, s.url+"/v1/namespaces/ns/tables/t"+shape.query, nil)
	if err != nil {
		b.Error(err)
		return "", 0
	}
	want := http.StatusOK
	if tag != "" {
		request.Header.Set("If-None-Match", tag)
		want = http.StatusNotModified
	}
	response, err := s.client.Do(request)
	if err != nil {
		b.Error(err)
		return "", 0
	}
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	if err != nil || response.StatusCode != want {
		b.Errorf("%s: status %d, want %d; %v", request.URL, response.StatusCode, want, err)
	}
	return response.Header.Get("ETag"), n
}

// result is what some loads came to.
type result struct {
	times []time.Duration
	took  time.Duration
	bytes int64
}

func (r *result) add(more result) {
	r.times = append(r.times, more.times...)
	r.took += more.took
	r.bytes += more.bytes
}

func (r result) rate() float64 { return float64(len(r.times)) / r.took.Seconds() }

func (r result) quantile(q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(r.times))
	return sorted[int(q*float64(len(sorted)-1))]
}

// String is the cells of a result.
func (r result) String() string {
	var cells bytes.Buffer
	fmt.Fprintf(&cells, "%d\t%.0f", r.bytes/int64(len(r.times)), r.rate())
	for _, q := range []float64{0.5, 0.99} {
		fmt.Fprintf(&cells, "\t%.2f ms", float64(r.quantile(q))/float64(time.Millisecond))
	}
	return cells.String()
}
