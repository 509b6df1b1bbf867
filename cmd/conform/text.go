package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/onceberg/onceberg/tests/conformance"
)

// width is how many columns the text takes at most.
const width = 100

// writeReport shows a finished run.
func writeReport(w io.Writer, r *conformance.Report, paint painter) error {
	var out strings.Builder
	offered := 0
	for _, op := range r.Operations {
		if op.Offered {
			offered++
		}
	}
	lifetime := "advertises no lifetime of keys"
	if r.Lifetime != "" {
		lifetime = "advertises keys that live " + r.Lifetime
	}
	fmt.Fprintf(&out, "%s\nIt %s, and offers %d of %d operations that take one.\n\n", r.Server, lifetime, offered, len(r.Operations))
	writeFindings(&out, r, paint)
	writeNotes(&out, r)
	// The table comes last: it is what should be left on a screen.
	m := newMatrix(r.Results)
	out.WriteString(m.text(paint) + "\n" + legend(m, paint))
	writeSummary(&out, r, paint)
	_, err := io.WriteString(w, out.String())
	return err
}

// writeNotes tells what was not judged, once for each reason.
func writeNotes(out *strings.Builder, r *conformance.Report) {
	var reasons []string
	where := map[string][]string{}
	for _, result := range r.Results {
		if result.Finding == "" || result.Verdict == conformance.Fail || result.Verdict == conformance.Unclear {
			continue
		}
		reason := string(result.Verdict) + ": " + result.Finding
		if where[reason] == nil {
			reasons = append(reasons, reason)
		}
		where[reason] = append(where[reason], result.Operation+"/"+result.Case)
	}
	for _, reason := range reasons {
		cells := where[reason]
		if len(cells) > 1 {
			wrap(out, "", fmt.Sprintf("%s (%s and %d more)", reason, cells[0], len(cells)-1))
		} else {
			wrap(out, "", fmt.Sprintf("%s (%s)", reason, cells[0]))
		}
	}
	if len(reasons) > 0 {
		out.WriteString("\n")
	}
	if len(r.Leftovers) > 0 {
		out.WriteString("Left behind:\n")
		for _, left := range r.Leftovers {
			wrap(out, "  ", left)
		}
		out.WriteString("\n")
	}
}

func writeSummary(out *strings.Builder, r *conformance.Report, paint painter) {
	s := r.Summary()
	fmt.Fprintf(out, "\n%d passed, %d failed, %d short of good practice, %d unclear, %d skipped, %d not offered, in %v\n",
		s.Pass, s.Fail, s.Quality, s.Unclear, s.Skipped, s.NotOffered, r.Took.Round(100*time.Millisecond))
	if r.Interrupted {
		out.WriteString("The run was ended before its end.\n")
	}
	if r.Gone != "" {
		wrap(out, "", "The server could no longer be reached, and the run was given up: "+r.Gone)
	}
	outcome := conformance.Result{Verdict: conformance.Pass}
	switch r.ExitCode() {
	case 1:
		outcome = conformance.Result{Verdict: conformance.Fail, Level: conformance.Must}
	case exitBadInput:
		outcome.Verdict = conformance.Unclear
	}
	out.WriteString(paint(outcome, r.Outcome()) + "\n")
}

// writeCases lists the cases.
func writeCases(w io.Writer) error {
	var out strings.Builder
	for i, c := range conformance.Cases() {
		if i > 0 {
			out.WriteString("\n")
		}
		scope := "for each operation"
		if c.Server {
			scope = "once"
		}
		fmt.Fprintf(&out, "%s (%s, %s)\n", c.ID, c.Level, scope)
		wrap(&out, "  ", c.Title)
		wrap(&out, "  ", fmt.Sprintf("%q (%s)", c.Sentence, c.Place))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// wrap writes a text in lines of the width, each behind an indent.
func wrap(out *strings.Builder, indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if len([]rune(line))+1+len([]rune(word)) > width && line != indent {
			out.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	out.WriteString(line + "\n")
}

// clip cuts a line to a length.
func clip(text string, length int) string {
	runes := []rune(text)
	if len(runes) <= length {
		return text
	}
	return string(runes[:length-1]) + "…"
}
