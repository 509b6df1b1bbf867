package servers

import (
	"testing"
	"time"

	"github.com/onceberg/onceberg/tests/conformance"
)

// TestLifetime sits out the lifetime of a key: it is honoured until the end, and
// nothing breaks afterwards.
func TestLifetime(t *testing.T) {
	t.Parallel()
	for _, f := range forms()[:2] {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			url := f.start(t, "--idempotency.key-lifetime", "PT8S", "--idempotency.grace", "PT4S",
				"--idempotency.cleanup-interval", "PT1S", "--idempotency.lease", "PT2S")
			report, err := conformance.Run(t.Context(), conformance.Target{URL: url, Token: token}, conformance.Options{
				Only: []string{"server/lifetime*"}, LifetimeWait: 8 * time.Second,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range report.Results {
				if r.Verdict != conformance.Pass {
					t.Errorf("%s", describe(r))
				}
			}
			if len(report.Results) != 3 || report.Lifetime != "PT8S" {
				t.Errorf("%d results, lifetime %s", len(report.Results), report.Lifetime)
			}
		})
	}
}
