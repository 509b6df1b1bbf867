package conformance

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"time"
)

//go:embed page
var pageFiles embed.FS

var page = template.Must(template.ParseFS(pageFiles, "page/*.tmpl"))

// WriteHTML writes the report as one page that needs nothing else: the matrix of
// operations by cases, and what was found.
func (r *Report) WriteHTML(w io.Writer) error {
	var out bytes.Buffer
	if err := page.ExecuteTemplate(&out, "report", newPage(r)); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// pageView is what the page's templates show.
type pageView struct {
	*Report
	Columns []Case // of the matrix
	Rows    []pageRow
	Server  []pageCell
	Stories []pageCell // what was found, in order
	Notes   []pageNote
}

type pageRow struct {
	Operation
	Cells []pageCell
}

// pageCell is a result with its case; the result is nil when the cell was not
// asked for.
type pageCell struct {
	*Result
	Of Case
}

// pageNote is a reason why results are none, or a remark, with where it holds.
type pageNote struct {
	Verdict Verdict
	Reason  string
	Where   []string
}

func newPage(r *Report) pageView {
	v := pageView{Report: r}
	for _, c := range r.Cases {
		if c.Server {
			v.add(&v.Server, ServerWide, c)
		} else {
			v.Columns = append(v.Columns, c)
		}
	}
	for _, op := range r.Operations {
		row := pageRow{Operation: op}
		for _, c := range v.Columns {
			v.add(&row.Cells, op.ID, c)
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

func (v *pageView) add(to *[]pageCell, operation string, c Case) {
	cell := pageCell{v.result(operation, c.ID), c}
	*to = append(*to, cell)
	switch {
	case cell.Result == nil || cell.Finding == "":
	case cell.Verdict == Fail || cell.Verdict == Unclear:
		v.Stories = append(v.Stories, cell)
	default:
		v.note(cell)
	}
}

func (v *pageView) note(cell pageCell) {
	where := cell.Operation + "/" + cell.Case
	for i := range v.Notes {
		if n := &v.Notes[i]; n.Verdict == cell.Verdict && n.Reason == cell.Finding {
			n.Where = append(n.Where, where)
			return
		}
	}
	v.Notes = append(v.Notes, pageNote{cell.Verdict, cell.Finding, []string{where}})
}

// Seconds is how long the run took.
func (v pageView) Seconds() string { return v.Took.Round(100 * time.Millisecond).String() }

// Class is the cell's class in the style sheet.
func (c pageCell) Class() string {
	switch {
	case c.Result == nil:
		return "none"
	case c.Breaks():
		return "fail"
	case c.Verdict == Fail:
		return "short"
	case c.Verdict == NotOffered:
		return "absent"
	}
	return string(c.Verdict)
}

// Sign shows the cell in one character.
func (c pageCell) Sign() string {
	return map[string]string{
		"pass": "✓", "fail": "✗", "short": "!", "unclear": "?", "skipped": "–", "absent": "·",
	}[c.Class()]
}

// Told reports whether the page tells more of the cell.
func (c pageCell) Told() bool {
	return c.Result != nil && c.Finding != "" && (c.Verdict == Fail || c.Verdict == Unclear)
}
