package diff

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteText writes the comparison for a terminal: the two documents, how much
// changed, and the changes by the place they are in.
func (d Diff) WriteText(w io.Writer) error {
	var out bytes.Buffer
	for _, line := range []struct {
		word string
		text string
	}{{"old", specLine(d.Old.File, d.Old.Title, d.Old.Version, d.Old.Counts())}, {"new", specLine(d.New.File, d.New.Title, d.New.Version, d.New.Counts())}} {
		fmt.Fprintf(&out, "%s  %s\n", line.word, line.text)
	}
	fmt.Fprintf(&out, "\n%s\n", d.summary())
	d.table(&out)
	_, err := w.Write(out.Bytes())
	return err
}

func specLine(file, title, version, counts string) string {
	return fmt.Sprintf("%s: %s: %s", file, strings.TrimSpace(title+" "+version), counts)
}

// summary counts the changes.
func (d Diff) summary() string {
	if d.Empty() {
		return "No difference in the interface."
	}
	broken := map[Party]int{}
	for _, c := range d.Changes {
		for _, party := range c.Breaks {
			broken[party]++
		}
	}
	noun := "changes"
	if len(d.Changes) == 1 {
		noun = "change"
	}
	text := fmt.Sprintf("%d %s, %d breaking", len(d.Changes), noun, d.Breaking())
	if d.Breaking() > 0 {
		text += fmt.Sprintf(" (%d for clients, %d for servers)", broken[Clients], broken[Servers])
	}
	return text
}

func (d Diff) table(out *bytes.Buffer) {
	var aligned bytes.Buffer
	columns := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	place := ""
	for _, c := range d.Changes {
		if here := d.place(c); here != place {
			place = here
			fmt.Fprintf(columns, "\n%s\n", place)
		}
		fmt.Fprintf(columns, "  %s\t%s\t%s\n", c.weight(), c.Kind, c.Text)
	}
	columns.Flush() // into memory, which takes everything
	out.Write(aligned.Bytes())
}

// place names the operation, or the component with the operations it reaches.
func (d Diff) place(c Change) string {
	if c.Operation != "" {
		return "operation " + c.Operation
	}
	tokens := c.Component.Tokens()
	text := "at " + c.Component.Ref()
	if len(tokens) == 3 && tokens[0] == "components" {
		text = strings.TrimSuffix(tokens[1], "s") + " " + tokens[2]
	}
	if len(c.Operations) == d.shared && d.shared > 1 {
		return fmt.Sprintf("%s, in all %d operations", text, d.shared)
	}
	return text + ", in " + strings.Join(c.Operations, ", ")
}

// weight is the first column: who breaks.
func (c Change) weight() string {
	if c.Severity == Notable {
		return string(Notable)
	}
	var parties []string
	for _, p := range c.Breaks {
		parties = append(parties, string(p))
	}
	return "breaks " + strings.Join(parties, ", ")
}
