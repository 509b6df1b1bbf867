package conformance

import (
	"time"
)

// Level is how much a case weighs.
type Level string

// The levels.
const (
	// Must is what the specification requires.
	Must Level = "must"
	// Should is what it implies.
	Should Level = "should"
	// Quality is good practice. It fails no run.
	Quality Level = "quality"
)

// Verdict is what a case came to.
type Verdict string

// The verdicts.
const (
	// Pass: the server does what the case asks.
	Pass Verdict = "pass"
	// Fail: it does not.
	Fail Verdict = "fail"
	// Unclear: the kit could not tell, because what the case needs could not be
	// made or read.
	Unclear Verdict = "unclear"
	// Skipped: the case needs something that was not given, or does not apply.
	Skipped Verdict = "skipped"
	// NotOffered: the server does not offer the operation.
	NotOffered Verdict = "not offered"
)

// ServerWide is the operation of the cases that are about the server as a whole.
const ServerWide = "server"

// Result is what one case showed of one operation.
type Result struct {
	// Operation is an operationId, or ServerWide.
	Operation string `json:"operation"`
	// Case is the ID of a Case.
	Case string `json:"case"`
	// Level is how much the verdict weighs: the case's level, or that of the
	// very sentence that was broken.
	Level   Level   `json:"level"`
	Verdict Verdict `json:"verdict"`
	// Finding says what happened, or why the case was not judged. Of a Pass it
	// is a remark, and mostly empty.
	Finding string `json:"finding,omitempty"`
	// Exchanges are the requests that led to a Fail or an Unclear.
	Exchanges []Exchange    `json:"exchanges,omitempty"`
	Duration  time.Duration `json:"duration_ns"`
}

// Breaks reports whether the result fails a run.
func (r Result) Breaks() bool { return r.Verdict == Fail && r.Level != Quality }

// Exchange is a request and its answer, without anything secret.
type Exchange struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	// Key is the value of the key header; with a note behind it when the
	// request was sent in a special way.
	Key  string `json:"key,omitempty"`
	Note string `json:"note,omitempty"`
	// Status is 0 when no answer came.
	Status     int    `json:"status"`
	RetryAfter string `json:"retry_after,omitempty"`
	// Body are the first bytes of the answer's body.
	Body string `json:"body,omitempty"`
	// Error says why no answer came.
	Error string `json:"error,omitempty"`
}

// Operation is a row of the report.
type Operation struct {
	ID      string `json:"id"`
	Method  string `json:"method"`
	Path    string `json:"path"`
	Offered bool   `json:"offered"`
}

// Report is what a run found.
type Report struct {
	// Server is the target's URL.
	Server  string        `json:"server"`
	Started time.Time     `json:"started"`
	Took    time.Duration `json:"took_ns"`
	// Lifetime is what the server advertises, as it is; empty when it does not.
	Lifetime string `json:"lifetime,omitempty"`
	// Only is what was asked for; empty means everything.
	Only []string `json:"only,omitempty"`
	// Operations are those that take a key, in the order of the document.
	Operations []Operation `json:"operations"`
	// Cases are all cases, in the order of their columns.
	Cases []Case `json:"cases"`
	// Results are in the order of Operations and Cases.
	Results []Result `json:"results"`
	// Leftovers say what the run made and could not remove. Files of views are
	// not among them: the API has no way to purge those.
	Leftovers []string `json:"leftovers,omitempty"`
	// Interrupted is true when the run was ended before its end.
	Interrupted bool `json:"interrupted,omitempty"`
	// Gone says how the server could no longer be reached, if that ended the run.
	Gone string `json:"gone,omitempty"`
}

// Count returns how many results have a verdict.
func (r *Report) Count(v Verdict) int {
	n := 0
	for _, result := range r.Results {
		if result.Verdict == v {
			n++
		}
	}
	return n
}

// Broken returns the results that fail the run.
func (r *Report) Broken() []Result {
	var broken []Result
	for _, result := range r.Results {
		if result.Breaks() {
			broken = append(broken, result)
		}
	}
	return broken
}

// Outcome is what the run came to, in a sentence.
func (r *Report) Outcome() string {
	switch code := r.ExitCode(); {
	case code == 1:
		return "The server breaks the promise."
	case code == 2:
		return "Too little could be judged to say whether the server keeps the promise."
	case len(r.Only) > 0:
		return "The server keeps the promise in what was asked."
	}
	return "The server keeps the promise."
}

// ExitCode is what a command that ran the kit should exit with: 1 when the
// server broke something that the specification requires or implies; else 2 when
// too little could be judged to say that it did not; else 0.
func (r *Report) ExitCode() int {
	asked, judged := 0, 0
	unclear := r.Interrupted || r.Gone != ""
	for _, result := range r.Results {
		if result.Breaks() {
			return 1
		}
		asked = max(asked, r.weight(result))
		if result.Verdict == Pass || result.Verdict == Fail {
			judged = max(judged, r.weight(result))
		}
		unclear = unclear || result.Verdict == Unclear && result.Level != Quality
	}
	if unclear || judged == 0 || judged < asked {
		return 2
	}
	return 0
}

// weight is how much a result says of the promise: a run has judged something when
// it has judged some of the weightiest that it was asked.
func (r *Report) weight(result Result) int {
	switch {
	case result.Operation != ServerWide && result.Level == Must:
		return 3
	case result.Operation != ServerWide:
		return 2
	case r.Lifetime != "":
		return 1
	}
	return 0 // what a server that promises nothing does with reads is no promise kept
}

// result returns the result of a cell, nil when it is not there.
func (r *Report) result(operation, kind string) *Result {
	for i := range r.Results {
		if r.Results[i].Operation == operation && r.Results[i].Case == kind {
			return &r.Results[i]
		}
	}
	return nil
}
