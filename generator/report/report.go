package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/plan"
	"github.com/onceberg/onceberg/generator/repair"
)

// Report is what there is to say about one document. It holds no state beyond
// that: its methods may be called in any order, and concurrently.
type Report struct {
	Spec       Spec            `json:"spec"`
	Operations []Operation     `json:"operations"`
	Repairs    []repair.Repair `json:"repairs"`

	plan *plan.Plan // what the written forms show beyond the JSON
}

// Spec describes the document as a whole. The package comment says what each
// member holds.
type Spec struct {
	File       string `json:"file"`
	Title      string `json:"title"`
	Version    string `json:"version"`
	OpenAPI    string `json:"openapi"`
	SHA256     string `json:"sha256"`
	Operations int    `json:"operations"`
	Declaring  int    `json:"declaring"`
	Idempotent int    `json:"idempotent"`
	KeyHeader  string `json:"key_header"`
}

// Operation describes one operation. The package comment says what each member
// holds.
type Operation struct {
	ID               string   `json:"id"`
	Method           string   `json:"method"`
	Path             string   `json:"path"`
	Idempotent       bool     `json:"idempotent"`
	DeclaredAt       string   `json:"declared_at"`
	FinalStatuses    []string `json:"final_statuses"`
	ReleasedStatuses []string `json:"released_statuses"`
	StateUnknown     bool     `json:"state_unknown"`
	SecretFields     []string `json:"secret_fields"`
}

// New reports on an analysed document. The result shares the analysis' plan,
// which must not be changed afterwards.
func New(a *generator.Analysis) Report {
	r := Report{
		Spec:       Describe(a),
		Operations: []Operation{},
		Repairs:    append([]repair.Repair{}, a.Repairs...),
		plan:       a.Plan,
	}
	for _, op := range a.Plan.Operations {
		r.Operations = append(r.Operations, operation(op))
	}
	return r
}

// Describe makes the Spec of an analysed document.
func Describe(a *generator.Analysis) Spec {
	s := Spec{
		File:       a.Read.File,
		Title:      a.Plan.Title,
		Version:    a.Plan.Version,
		OpenAPI:    a.Plan.OpenAPI,
		SHA256:     a.Read.SHA256,
		Operations: len(a.Plan.Operations),
		Declaring:  a.Plan.Declaring(),
		KeyHeader:  a.Plan.KeyHeader,
	}
	for _, op := range a.Plan.Operations {
		if op.Idempotent {
			s.Idempotent++
		}
	}
	return s
}

func operation(op plan.Operation) Operation {
	secrets := []string{}
	for _, s := range op.Secrets {
		secrets = append(secrets, s.Pointer)
	}
	return Operation{
		ID:               op.ID,
		Method:           op.Method,
		Path:             op.Path,
		Idempotent:       op.Idempotent,
		DeclaredAt:       op.DeclaredAt,
		FinalStatuses:    append([]string{}, op.FinalStatuses...),
		ReleasedStatuses: append([]string{}, op.ReleasedStatuses...),
		StateUnknown:     op.StateUnknown,
		SecretFields:     secrets,
	}
}

// Counts is the line that sums a document up.
func (s Spec) Counts() string {
	return fmt.Sprintf("%s, %d declare %s, %d idempotent", Count(s.Operations, "operation"), s.Declaring, s.KeyHeader, s.Idempotent)
}

// Count says how many there are of what a noun names, which has its plural in s.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// WriteJSON writes the report in its stable JSON form, indented, with a newline
// at its end.
func (r Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // paths and reasons stay readable
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}
