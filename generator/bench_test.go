package generator_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/emit"
	"github.com/onceberg/onceberg/generator/oapi"
)

// BenchmarkGenerate reports how long generation takes as a whole, and how many
// times what oapi-codegen takes alone, with its own templates and formatting, on
// the same document once it is repaired. Both are timed in turns, so that
// whatever else the machine does hits both.
func BenchmarkGenerate(b *testing.B) {
	path := filepath.Join("..", "spec", "rest-catalog-open-api.yaml")
	spec, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	c := generator.DefaultConfig()
	c.Spec = path
	repaired, err := generator.Analyze(spec, c)
	if err != nil {
		b.Fatal(err)
	}
	var ours, alone time.Duration
	for b.Loop() {
		begin := time.Now()
		a, err := generator.Analyze(spec, c)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.Render(); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(begin)

		begin = time.Now()
		document, err := emit.Load(repaired.Repaired, repaired.Plan.KeyHeader)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := oapi.Generate(document, nil, codegen.Configuration{
			PackageName: "alone",
			Generate:    codegen.GenerateOptions{EchoServer: true, Strict: true, Models: true},
			OutputOptions: codegen.OutputOptions{
				NullableType: true,
			},
		}); err != nil {
			b.Fatal(err)
		}
		alone += time.Since(begin)
	}
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "ms-ours")
	b.ReportMetric(float64(alone.Milliseconds())/float64(b.N), "ms-alone")
	b.ReportMetric(float64(ours)/float64(alone), "ratio")
}
