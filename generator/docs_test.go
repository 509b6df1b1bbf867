package generator_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/repair"
)

// docs/generator.md names every repair, in order and in the code's words, and
// every configuration key.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/generator.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| repair | what it mends |\n|---|---|\n")
	for _, kind := range repair.Kinds {
		fmt.Fprintf(&table, "| `%s` | %s |\n", kind.Name, kind.What)
	}
	if !strings.Contains(string(text), table.String()) {
		t.Errorf("docs/generator.md lacks this table of repairs:\n\n%s", table.String())
	}
	config := reflect.TypeFor[generator.Config]()
	for i := range config.NumField() {
		key := config.Field(i).Tag.Get("yaml")
		if !strings.Contains(string(text), "| `"+key+"` |") {
			t.Errorf("docs/generator.md does not explain the key %s", key)
		}
	}
}
