package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// event is a line of go test -json, as cmd/test2json describes it.
type event struct {
	Action string
	Test   string
	Output string
}

var outcomes = map[string]Outcome{"pass": Passed, "fail": Failed, "skip": Skipped}

// goRun is what a run of go test said, by the names of its tests; what the
// command said outside of them stands under the empty name.
type goRun struct {
	order  []string // in which the tests ended
	ended  map[string]Outcome
	output map[string]string
}

// GoTest reads the events of go test -json. Only tests without subtests count,
// as the others only gather them, unless such a one failed by itself. It returns
// [ErrNoTests] where there are none, with what the command said instead.
func GoTest(r io.Reader) ([]Test, error) {
	run, err := readGoRun(r)
	if err != nil {
		return nil, err
	}
	var tests []Test
	for _, name := range run.order {
		if run.counts(name) {
			tests = append(tests, Test{Name: name, Outcome: run.ended[name], Detail: run.said(name)})
		}
	}
	if len(tests) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoTests, strings.TrimSpace(run.output[""]))
	}
	return tests, nil
}

func readGoRun(r io.Reader) (goRun, error) {
	run := goRun{ended: map[string]Outcome{}, output: map[string]string{}}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return goRun{}, fmt.Errorf("go test report: %w", err)
		}
		e := parseEvent(line)
		run.output[e.Test] += e.Output
		if outcome, ok := outcomes[e.Action]; ok && e.Test != "" {
			if _, again := run.ended[e.Test]; !again {
				run.order = append(run.order, e.Test)
			}
			run.ended[e.Test] = outcome
		}
		if err != nil {
			return run, nil
		}
	}
}

// parseEvent reads a line; one that is no event is what a compiler said.
func parseEvent(line []byte) event {
	var e event
	if json.Unmarshal(bytes.TrimSpace(line), &e) != nil {
		return event{Output: string(line)}
	}
	return e
}

// counts reports whether a test is one of its own: it has no subtests, or it
// failed although none of them did.
func (r goRun) counts(name string) bool {
	parent, childFailed := false, false
	for other, outcome := range r.ended {
		if strings.HasPrefix(other, name+"/") {
			parent = true
			childFailed = childFailed || outcome == Failed
		}
	}
	return !parent || r.ended[name] == Failed && !childFailed
}

// said is a test's output without the lines that only say that it ran.
func (r goRun) said(name string) string {
	if r.ended[name] == Passed {
		return ""
	}
	var kept []string
	for line := range strings.Lines(r.output[name]) {
		text := strings.TrimSpace(line)
		if text != "" && !strings.HasPrefix(text, "=== ") && !strings.HasPrefix(text, "--- ") {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, "\n")
}
