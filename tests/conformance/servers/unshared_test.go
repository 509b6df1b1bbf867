package servers

import (
	"testing"

	"github.com/onceberg/onceberg/tests/conformance"
)

// TestNodesThatShareNothing holds that the forms with three nodes prove what they
// are there for: nodes that keep their records to themselves, which no operator
// may do, are found out.
func TestNodesThatShareNothing(t *testing.T) {
	t.Parallel()
	f := form{"postgres, in memory, three nodes", 3, on(postgres, inMemory)}
	report, err := conformance.Run(t.Context(), conformance.Target{URL: f.start(t), Token: token}, conformance.Options{
		Only: []string{"createTable/replay", "createTable/lost-answer", "updateTable/twins"}, Parallel: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if !r.Breaks() {
			t.Errorf("%s/%s: %s", r.Operation, r.Case, r.Verdict)
		}
	}
}
