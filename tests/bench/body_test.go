package bench_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/onceberg/onceberg/runtime"
)

// BenchmarkBodies varies the size of the answer, which is stored whole, or as a
// summary from which a replay rebuilds it. The same answer is sent without a key,
// so the ratios hold only what storing adds.
func BenchmarkBodies(b *testing.B) {
	const few = 4 // clients; more would only queue for the processor
	d := postgres.open(b)
	for _, size := range []int{1, 32, 512, 4096} {
		body := metadata(size << 10)
		whole := func(c echo.Context) error { return c.JSONBlob(http.StatusOK, body) }
		cfg := runtime.Config{Mode: runtime.ModeTransactional, Replayer: rebuilding(body)}
		stored := d.start(b, cfg, whole)
		summarized := d.start(b, cfg, func(c echo.Context) error {
			runtime.Summarize(c.Request().Context(), []byte(location))
			return whole(c)
		})
		d.exec(b, "TRUNCATE iceberg_idempotency_key_meta")
		replayBody := stored.replays(b, 20)
		kept := d.keptBytes(b)
		modes := []mode{
			{"none", stored.unkeyed},
			{"body", stored.keyed},
			{"summary", summarized.keyed},
			{"replay-body", replayBody},
			{"replay-summary", summarized.replays(b, 20)},
		}
		b.Run(fmt.Sprintf("KiB=%d", size), func(b *testing.B) {
			compare(b, few, modes, ratio{"body", "none"}, ratio{"summary", "none"},
				ratio{"replay-body", "none"}, ratio{"replay-summary", "none"})
			b.ReportMetric(kept, "kept-B")
		})
	}
}

// keptBytes is how much of a body is stored.
func (d *database) keptBytes(b *testing.B) float64 {
	b.Helper()
	var kept float64
	err := d.db.NewRaw("SELECT avg(octet_length(response_summary)) FROM iceberg_idempotency_key_meta").Scan(b.Context(), &kept)
	if err != nil {
		b.Fatal(err)
	}
	return kept
}

// metadata makes JSON that is like a table's with many snapshots: names that
// repeat, and numbers and ids that do not.
func metadata(size int) []byte {
	var text strings.Builder
	text.WriteString(`{"metadata-location":"` + location + `","metadata":{"format-version":2,"snapshots":[`)
	random := rand.New(rand.NewPCG(1, 2))
	for text.Len() < size-400 {
		fmt.Fprintf(&text, `{"snapshot-id":%d,"parent-snapshot-id":%d,"sequence-number":%d,"timestamp-ms":%d,`+
			`"manifest-list":"s3://warehouse/analytics/events/metadata/snap-%d-1-%016x%016x.avro",`+
			`"summary":{"operation":"append","added-data-files":"%d","added-records":"%d","total-records":"%d"}},`,
			random.Int64(), random.Int64(), text.Len(), 1764547200000+random.Int64N(1e9), random.Int64(),
			random.Uint64(), random.Uint64(), random.IntN(100), random.IntN(1e6), random.Int64N(1e12))
	}
	text.WriteString(`{"snapshot-id":1}],"properties":{"padding":"`)
	text.WriteString(strings.Repeat(".", max(0, size-text.Len()-4)))
	text.WriteString(`"}}}`)
	return []byte(text.String())
}

// rebuilding is a Replayer that has the answer at hand.
type rebuilding []byte

// Replay implements runtime.Replayer.
func (body rebuilding) Replay(context.Context, *runtime.Operation, []byte) (runtime.Response, error) {
	return func(w http.ResponseWriter) error {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		_, err := w.Write(body)
		return err
	}, nil
}
