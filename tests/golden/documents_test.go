package golden

import (
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/onceberg/onceberg/generator"
)

var documents = flag.String("documents", "", "other documents to prove the generator on, as a file pattern")

// TestDocuments does with documents of your own what TestUpstream does with
// Iceberg's:
//
//	go test ./tests/golden -run TestDocuments -documents '../my-api/*.yaml'
func TestDocuments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(*documents)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		if *documents != "" {
			t.Errorf("no file is called %s", *documents)
		}
		return
	}
	m := newModule(t)
	analyses, packages := map[string]*generator.Analysis{}, map[string][]subject{}
	for i, file := range files {
		pkg := fmt.Sprintf("document%d", i+1)
		a := m.generate(t, pkg, read(t, file), specConfig(file))
		t.Logf("%s: %s, %d operations, %d declare the key, %d repairs", pkg, file, len(a.Plan.Operations), a.Plan.Declaring(), len(a.Repairs))
		analyses[pkg], packages[pkg] = a, subjects(t, a, m.path(pkg))
	}
	program := buildHarness(t, m, packages)
	m.tool(t, "vet", "./...")
	for _, pkg := range sortedKeys(packages) {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			exerciseSubjects(t, program, pkg, analyses[pkg], packages[pkg])
		})
	}
}
