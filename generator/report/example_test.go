package report_test

import (
	"fmt"
	"os"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/report"
)

// Who takes a key, from the findings that WriteJSON writes.
func ExampleNew() {
	spec, err := os.ReadFile("testdata/shop/spec.yaml")
	if err != nil {
		panic(err)
	}
	a, err := generator.Analyze(spec, generator.Config{Spec: "spec.yaml", Also: []string{"logIn"}})
	if err != nil {
		panic(err)
	}
	r := report.New(a)
	fmt.Println(r.Spec.Counts())
	for _, op := range r.Operations {
		if op.DeclaredAt == "also" {
			fmt.Println(op.ID, "by configuration, final:", op.FinalStatuses)
		}
	}
	// Output:
	// 6 operations, 3 declare Idempotency-Key, 4 idempotent
	// logIn by configuration, final: [200 400]
}
