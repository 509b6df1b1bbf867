//go:build interop

package interop

import (
	"strings"
	"testing"

	"github.com/onceberg/onceberg/tests/interop/report"
)

// TestJudge holds that a suite cannot pass by keeping quiet.
func TestJudge(t *testing.T) {
	t.Parallel()
	passed := report.Test{Name: "a", Outcome: report.Passed}
	failed := report.Test{Name: "b", Outcome: report.Failed, Detail: "no table"}
	skipped := report.Test{Name: "c", Outcome: report.Skipped, Detail: "why"}
	for name, c := range map[string]struct {
		tests []report.Test
		known map[string]string
		suite suite
		want  string // part of the error; empty for a suite that is fine
	}{
		"all pass":           {tests: []report.Test{passed}},
		"too few":            {tests: []report.Test{passed}, suite: suite{atLeast: 2}, want: "1 tests where 2 are known"},
		"a skip of its own":  {tests: []report.Test{passed, skipped}, suite: suite{skips: []string{"c"}}},
		"a skip that is new": {tests: []report.Test{passed, skipped}, want: "c was skipped"},
		"a known failure":    {tests: []report.Test{passed, failed}, known: map[string]string{"b": "its fault"}},
		"a failure that went": {
			tests: []report.Test{passed}, known: map[string]string{"a": "its fault"}, want: "a is listed as failing here and passes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := report.Suite{Tests: c.tests}
			judge(&result, c.known, c.suite)
			if c.want == "" && !result.OK() {
				t.Errorf("%q, %v", result.Err, result.Tests)
			}
			if !strings.Contains(result.Err, c.want) || c.want != "" && result.OK() {
				t.Errorf("%q, want %q", result.Err, c.want)
			}
		})
	}
	result := report.Suite{Tests: []report.Test{passed, failed}}
	if judge(&result, nil, suite{}); result.OK() {
		t.Error("a failure passed")
	}
}
