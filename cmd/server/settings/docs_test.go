package settings_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/cmd/server/settings"
)

const operations = "../../../docs/operations.md"

// The documentation's table is the code's, row by row.
func TestDocumentedKeys(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(operations)
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"| key | default | value | meaning |", "|---|---|---|---|"}
	for _, key := range settings.Keys {
		shown := ""
		if key.Default != "" {
			shown = "`" + key.Default + "`"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", key.Name, shown, key.Form(), key.About))
	}
	table := strings.Join(rows, "\n") + "\n\n"
	if strings.Contains(string(text), table) {
		return
	}
	lines := slices.Collect(strings.Lines(string(text)))
	for _, row := range rows {
		if !slices.Contains(lines, row+"\n") {
			t.Errorf("the documentation lacks the row\n%s", row)
		}
	}
	t.Errorf("the table of keys in %s should be\n%s", operations, table)
}

var variable = regexp.MustCompile(`ONCEBERG_[A-Z_]+`)

// The variables that the documentation mentions exist.
func TestDocumentedVariables(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(operations)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, key := range settings.Keys {
		known[key.Environ()] = true
	}
	mentioned := variable.FindAllString(string(text), -1)
	for _, name := range mentioned {
		if !known[name] {
			t.Errorf("no key has the variable %s", name)
		}
	}
	if len(mentioned) == 0 {
		t.Error("the documentation does not show how a variable is called")
	}
}
