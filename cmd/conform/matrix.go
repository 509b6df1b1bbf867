package main

import (
	"fmt"
	"strings"

	"github.com/onceberg/onceberg/tests/conformance"
)

// matrix is the table of operations by cases.
type matrix struct {
	rows    []string // operations
	columns []conformance.Case
	server  []conformance.Case // those about the server as a whole
	results map[[2]string]conformance.Result
}

// newMatrix arranges results, which may be only some of those to come.
func newMatrix(results []conformance.Result) *matrix {
	m := &matrix{results: map[[2]string]conformance.Result{}}
	for _, c := range conformance.Cases() {
		if c.Server {
			m.server = append(m.server, c)
		} else {
			m.columns = append(m.columns, c)
		}
	}
	for _, r := range results {
		m.add(r)
	}
	return m
}

func (m *matrix) add(r conformance.Result) {
	known := r.Operation == conformance.ServerWide
	for _, row := range m.rows {
		known = known || row == r.Operation
	}
	if !known {
		m.rows = append(m.rows, r.Operation)
	}
	m.results[[2]string{r.Operation, r.Case}] = r
}

// text draws the matrix; columns have numbers, which the legend explains.
func (m *matrix) text(paint painter) string {
	var out strings.Builder
	for _, c := range m.server {
		if r, ok := m.results[[2]string{conformance.ServerWide, c.ID}]; ok {
			fmt.Fprintf(&out, "%s %s   ", paint(r, sign(r)), c.ID)
		}
	}
	if out.Len() > 0 {
		text := strings.TrimRight(out.String(), " ")
		out.Reset()
		out.WriteString(text + "\n\n")
	}
	if len(m.rows) == 0 {
		return out.String()
	}
	fmt.Fprintf(&out, "%-18s", "")
	for i := range m.columns {
		fmt.Fprintf(&out, "%4d", i+1)
	}
	out.WriteString("\n")
	for _, row := range m.rows {
		line := fmt.Sprintf("%-18s", row)
		for _, c := range m.columns {
			cell := " "
			if r, ok := m.results[[2]string{row, c.ID}]; ok {
				cell = paint(r, sign(r))
			}
			line += "   " + cell
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// sign shows a result in one column.
func sign(r conformance.Result) string {
	switch {
	case r.Breaks():
		return "✗"
	case r.Verdict == conformance.Fail:
		return "!"
	case r.Verdict == conformance.Pass:
		return "✓"
	case r.Verdict == conformance.Unclear:
		return "?"
	case r.Verdict == conformance.Skipped:
		return "-"
	}
	return "·"
}

// legend explains the columns and the signs.
func legend(m *matrix, paint painter) string {
	var out strings.Builder
	if len(m.rows) > 0 {
		for i, c := range m.columns {
			fmt.Fprintf(&out, "%2d  %-16s %-8s %s\n", i+1, c.ID, c.Level, c.Title)
		}
		out.WriteString("\n")
	}
	signs := []struct {
		r    conformance.Result
		text string
	}{
		{conformance.Result{Verdict: conformance.Pass}, "pass"},
		{conformance.Result{Verdict: conformance.Fail, Level: conformance.Must}, "fail"},
		{conformance.Result{Verdict: conformance.Fail, Level: conformance.Quality}, "good practice missed"},
		{conformance.Result{Verdict: conformance.Unclear}, "unclear"},
		{conformance.Result{Verdict: conformance.Skipped}, "skipped"},
		{conformance.Result{Verdict: conformance.NotOffered}, "not offered"},
	}
	for i, s := range signs {
		if i > 0 {
			out.WriteString("   ")
		}
		out.WriteString(paint(s.r, sign(s.r)) + " " + s.text)
	}
	return out.String() + "\n"
}
