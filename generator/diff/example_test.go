package diff_test

import (
	"fmt"
	"os"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/diff"
)

// The documents of the golden case, compared as a command line would.
func ExampleCompare() {
	load := func(path string) *generator.Analysis {
		spec, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		a, err := generator.Analyze(spec, generator.Config{Spec: path})
		if err != nil {
			panic(err)
		}
		return a
	}
	d := diff.Compare(load("testdata/golden/shop/old.yaml"), load("testdata/golden/shop/new.yaml"))
	for _, c := range d.Changes {
		if c.Severity == diff.Breaking && c.Operation != "" {
			fmt.Println(c.Operation, c.Kind, c.Breaks)
		}
	}
	// Output:
	// listOrders parameter-required [clients]
	// dropOrder operation-moved [clients servers]
}
