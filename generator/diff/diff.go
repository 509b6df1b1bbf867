package diff

import (
	"encoding/json"
	"io"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/report"
)

// Diff is what changed between two documents. The package comment describes its
// JSON form.
type Diff struct {
	Old     report.Spec `json:"old"`
	New     report.Spec `json:"new"`
	Changes []Change    `json:"changes"`

	shared int // operations that both documents have
}

// Change is one difference. The package comment says what each member holds.
type Change struct {
	Kind       Kind             `json:"kind"`
	Severity   Severity         `json:"severity"`
	Breaks     []Party          `json:"breaks"`
	Operation  string           `json:"operation"`
	Component  document.Pointer `json:"component"`
	Pointer    document.Pointer `json:"pointer"`
	Operations []string         `json:"operations"`
	Text       string           `json:"text"`
}

// Compare compares two analysed documents. Both should have been analysed with
// the same header name; what also and except add or take away counts as part of
// the document. Neither analysis is changed.
func Compare(old, new *generator.Analysis) Diff {
	c := &comparer{
		old:    side{doc: old.Read, plan: old.Plan},
		new:    side{doc: new.Read, plan: new.Plan},
		shared: map[sharedKey]*part{},
		same:   map[places]bool{},
	}
	for _, p := range match(old.Plan, new.Plan) {
		c.operation(p)
	}
	d := Diff{Old: report.Describe(old), New: report.Describe(new), Changes: c.changes()}
	for _, o := range c.operations {
		if o.old != nil && o.new != nil {
			d.shared++
		}
	}
	return d
}

// Empty reports whether the two documents describe the same interface.
func (d Diff) Empty() bool { return len(d.Changes) == 0 }

// Breaking counts the changes that break somebody.
func (d Diff) Breaking() int {
	n := 0
	for _, c := range d.Changes {
		if c.Severity == Breaking {
			n++
		}
	}
	return n
}

// WriteJSON writes the comparison in its stable JSON form, indented, with a
// newline at its end.
func (d Diff) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}
