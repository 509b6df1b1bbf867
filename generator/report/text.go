package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/onceberg/onceberg/generator/repair"
)

// WriteText writes the report for a terminal: what the document is, a line for
// each operation, and the repairs by kind.
func (r Report) WriteText(w io.Writer) error {
	var out bytes.Buffer
	r.head(&out)
	out.WriteByte('\n')
	r.table(&out)
	out.WriteByte('\n')
	r.repairs(&out)
	_, err := w.Write(out.Bytes())
	return err
}

func (r Report) head(out *bytes.Buffer) {
	fmt.Fprintf(out, "%s (OpenAPI %s)\n", strings.TrimSpace(r.Spec.Title+" "+r.Spec.Version), r.Spec.OpenAPI)
	fmt.Fprintf(out, "%s, sha256 %s\n", r.Spec.File, r.Spec.SHA256)
	fmt.Fprintf(out, "%s\n", r.Spec.Counts())
}

func (r Report) table(out *bytes.Buffer) {
	var aligned bytes.Buffer
	columns := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "METHOD\tPATH\tOPERATION\tKEY\tFINAL\tRELEASED\tNOTES")
	for _, op := range r.plan.Operations {
		o := row{op}
		fmt.Fprintln(columns, strings.Join([]string{
			o.Method, o.Path, o.ID, o.KeyColumn(), list(o.FinalStatuses), list(o.ReleasedStatuses), o.Notes(),
		}, "\t"))
	}
	columns.Flush() // into memory, which takes everything
	for line := range strings.Lines(aligned.String()) {
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func list(statuses []string) string {
	if len(statuses) == 0 {
		return "-"
	}
	return strings.Join(statuses, ",")
}

func (r Report) repairs(out *bytes.Buffer) {
	if len(r.Repairs) == 0 {
		out.WriteString("No repairs: the document was usable as it is.\n")
		return
	}
	fmt.Fprintf(out, "%s\n", Count(len(r.Repairs), "repair"))
	for _, group := range r.repairGroups() {
		fmt.Fprintf(out, "\n%s (%d): %s\n", group.Name, len(group.Repairs), group.What)
		for _, one := range group.Repairs {
			fmt.Fprintf(out, "  %s\n      %s\n", one.Pointer, one.Reason)
		}
	}
}

// repairGroup is the repairs of one kind.
type repairGroup struct {
	repair.Kind
	Repairs []repair.Repair
}

// repairGroups sorts the repairs by kind, in the order in which kinds run.
func (r Report) repairGroups() []repairGroup {
	var groups []repairGroup
	for _, kind := range repair.Kinds {
		group := repairGroup{Kind: kind}
		for _, one := range r.Repairs {
			if one.Name == kind.Name {
				group.Repairs = append(group.Repairs, one)
			}
		}
		if len(group.Repairs) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}
