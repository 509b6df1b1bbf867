package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// results are the values of all runs, by benchmark and unit, and the
// configuration that came with them.
type results struct {
	values map[metric][]float64
	config map[string]string
}

// metric names what a benchmark reports.
type metric struct{ bench, unit string }

// cores is the suffix that package testing adds to a name.
var cores = regexp.MustCompile(`-\d+$`)

// parse reads the output of go test -bench.
func parse(r io.Reader, name string) (*results, error) {
	all := &results{values: map[metric][]float64{}, config: map[string]string{}}
	reader := benchfmt.NewReader(r, name)
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("read the results: %w", record)
		case *benchfmt.Result:
			all.add(record)
		}
	}
	if err := reader.Err(); err != nil {
		return nil, fmt.Errorf("read the results: %w", err)
	}
	return all, nil
}

func (all *results) add(result *benchfmt.Result) {
	for _, c := range result.Config {
		all.config[c.Key] = string(c.Value)
	}
	name := cores.ReplaceAllString(result.Name.String(), "")
	for _, v := range result.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" { // as the benchmark said it
			value, unit = v.OrigValue, v.OrigUnit
		}
		m := metric{name, unit}
		all.values[m] = append(all.values[m], value)
	}
}

// summary is what a table says of the runs of one metric.
type summary struct {
	median, low, high float64
	runs              int
}

func (all *results) summarize(bench, unit string) summary {
	sorted := slices.Sorted(slices.Values(all.values[metric{bench, unit}]))
	n := len(sorted)
	if n == 0 {
		return summary{}
	}
	return summary{median: (sorted[(n-1)/2] + sorted[n/2]) / 2, low: sorted[0], high: sorted[n-1], runs: n}
}
