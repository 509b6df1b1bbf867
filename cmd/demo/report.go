package main

import (
	"fmt"
	"io"
)

// report prints the demonstration as it goes.
type report struct {
	out   io.Writer
	title string
}

// begin announces a step.
func (r *report) begin(title string) {
	r.title = title
	fmt.Fprintf(r.out, "\n%s\n", title)
}

// done reports something that was checked and is as it should be.
func (r *report) done(format string, args ...any) {
	fmt.Fprintf(r.out, "  ✓ %s\n", fmt.Sprintf(format, args...))
}

// detail adds a line to what was reported last.
func (r *report) detail(format string, args ...any) {
	fmt.Fprintf(r.out, "      %s\n", fmt.Sprintf(format, args...))
}

// failed reports why the demonstration ends.
func (r *report) failed(err error) { fmt.Fprintf(r.out, "  ✗ %v\n", err) }

// attempt reports one sending of a commit; status 0 is no answer.
func (r *report) attempt(number, status int, replayed bool) {
	switch {
	case status == 0:
		r.detail("attempt %d: no answer", number)
	case replayed:
		r.detail("attempt %d: %d, Idempotency-Replayed: true", number, status)
	default:
		r.detail("attempt %d: %d", number, status)
	}
}
