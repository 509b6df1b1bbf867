package servers

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/tests/conformance"
	"github.com/onceberg/onceberg/tests/conformance/faulty"
)

// TestDocumented holds that docs/conformance.md knows every case with its level,
// and every fault by its name.
func TestDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(string(text), "\n")
	for _, c := range conformance.Cases() {
		if !has(rows, "`"+c.ID+"`", "| "+string(c.Level)+" |") {
			t.Errorf("no row of the table has case %s with level %s", c.ID, c.Level)
		}
	}
	for _, f := range faulty.Faults {
		if !has(rows, f.Name) {
			t.Errorf("no row has the fault %q", f.Name)
		}
		if !slices.ContainsFunc(f.Fails, func(id string) bool { return has(rows, f.Name, "`"+id+"`") }) {
			t.Errorf("the row of %q does not name what finds it: %v", f.Name, f.Fails)
		}
	}
	if total := fmt.Sprintf("has %d small servers", len(faulty.Faults)); !strings.Contains(string(text), total) {
		t.Errorf("the text does not say %q", total)
	}
}

// has reports whether a row of a table holds all parts.
func has(rows []string, parts ...string) bool {
	for _, row := range rows {
		found := strings.HasPrefix(row, "|")
		for _, part := range parts {
			found = found && strings.Contains(row, part)
		}
		if found {
			return true
		}
	}
	return false
}
