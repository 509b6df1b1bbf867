package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed *.tmpl
var templates embed.FS

var page = template.Must(template.ParseFS(templates, "*.tmpl"))

// WriteHTML writes the report as one page that needs nothing else: no scripts,
// no fonts, no pictures.
func (r Report) WriteHTML(w io.Writer) error {
	var out bytes.Buffer
	if err := page.ExecuteTemplate(&out, "report", r.view()); err != nil {
		return fmt.Errorf("report page: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// view is what the page's template shows.
type view struct {
	Spec
	Coverage  []share
	Resources []resource
	Groups    []repairGroup
	Repairs   int
	Unknowns  int // operations whose outcome can be unknown
}

func (r Report) view() view {
	v := view{
		Spec:      r.Spec,
		Coverage:  r.coverage(),
		Resources: resources(r.plan.Operations),
		Groups:    r.repairGroups(),
		Repairs:   len(r.Repairs),
	}
	for _, op := range r.plan.Operations {
		if op.StateUnknown {
			v.Unknowns++
		}
	}
	return v
}

// share is one part of the bar that shows who takes a key.
type share struct {
	State keyState
	Label string
	Count int
}

// coverage counts operations by how they stand to the key; what no operation is
// has no part in the bar.
func (r Report) coverage() []share {
	all := []share{
		{State: onOperation, Label: "the document declares the key"},
		{State: byAlso, Label: "the configuration adds it"},
		{State: byExcept, Label: "the configuration takes it away"},
		{State: undeclared, Label: "a mutation without a key"},
		{State: isRead, Label: "a read, which takes none"},
	}
	for _, op := range r.plan.Operations {
		state := row{op}.Key()
		if state == onPath {
			state = onOperation
		}
		for i := range all {
			if all[i].State == state {
				all[i].Count++
			}
		}
	}
	var shares []share
	for _, s := range all {
		if s.Count > 0 {
			shares = append(shares, s)
		}
	}
	return shares
}

// Keyed counts the operations on a resource that honour a key, Mutations those
// that may change something.
func (g resource) Keyed() int {
	return g.count(func(r row) bool { return r.Idempotent })
}

// Mutations counts the operations that may change something.
func (g resource) Mutations() int { return g.count(row.Mutates) }

func (g resource) count(counts func(row) bool) int {
	n := 0
	for _, r := range g.Rows {
		if counts(r) {
			n++
		}
	}
	return n
}
