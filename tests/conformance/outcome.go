package conformance

import (
	"errors"
	"fmt"
)

// finding is an error that says what a server did wrong.
type finding struct {
	// level is that of the sentence that was broken; empty means the case's.
	level Level
	text  string
}

func (f *finding) Error() string { return f.text }

// failf is a finding at the case's own level.
func failf(format string, args ...any) error { return &finding{text: fmt.Sprintf(format, args...)} }

// failAt is a finding at another level than the case's.
func failAt(level Level, format string, args ...any) error {
	return &finding{level: level, text: fmt.Sprintf(format, args...)}
}

// skipped is an error that says why a case was not played.
type skipped struct{ why string }

func (s *skipped) Error() string { return s.why }

func skipf(format string, args ...any) error { return &skipped{fmt.Sprintf(format, args...)} }

// keyBlamed skips a case at a server that takes no keys at all.
type keyBlamed struct{ skipped }

// Unwrap makes it a skip.
func (k *keyBlamed) Unwrap() error { return &k.skipped }

// remark is an error that is none: the case passed, and there is something to
// say.
type remark struct{ text string }

func (r *remark) Error() string { return r.text }

func remarkf(format string, args ...any) error { return &remark{fmt.Sprintf(format, args...)} }

// conclude turns what a case returned into a result.
func conclude(c cell, err error) Result {
	r := Result{Operation: c.operation, Case: c.kind.ID, Level: c.level(), Verdict: Pass}
	var (
		fail *finding
		skip *skipped
		note *remark
	)
	switch {
	case err == nil:
		return r
	case errors.As(err, &fail):
		r.Verdict = Fail
		if fail.level != "" && r.Level != Quality {
			r.Level = fail.level
		}
	case errors.As(err, &skip):
		r.Verdict = Skipped
	case errors.As(err, &note):
		// A pass.
	default:
		r.Verdict = Unclear
	}
	r.Finding = err.Error()
	return r
}
