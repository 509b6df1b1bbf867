package main

import (
	"fmt"
	"strings"

	"github.com/onceberg/onceberg/tests/conformance"
)

// maxLines is how many exchanges of a finding are shown.
const maxLines = 12

// writeFindings tells what is wrong, case by case: what it rests on once, and the
// exchanges of the first operation. The others differ little.
func writeFindings(out *strings.Builder, r *conformance.Report, paint painter) {
	for _, c := range r.Cases {
		told := false
		for _, group := range groups(r.Results, c.ID) {
			first := group[0]
			fmt.Fprintf(out, "%s %s (%s)\n", paint(first, strings.ToUpper(string(first.Verdict))), c.ID, first.Level)
			if !told {
				wrap(out, "  ", fmt.Sprintf("Asked: %s. It rests on %q (%s).", c.Title, c.Sentence, c.Place))
			}
			for _, result := range group {
				wrap(out, "  ", result.Operation+": "+result.Finding)
				if !told {
					writeExchanges(out, result.Exchanges)
				}
				told = true
			}
			out.WriteString("\n")
		}
	}
}

// groups are the findings of a case, those of one weight together.
func groups(results []conformance.Result, id string) [][]conformance.Result {
	var all [][]conformance.Result
	where := map[string]int{}
	for _, r := range results {
		if r.Case != id || r.Verdict != conformance.Fail && r.Verdict != conformance.Unclear {
			continue
		}
		weight := string(r.Verdict) + string(r.Level)
		i, known := where[weight]
		if !known {
			i = len(all)
			where[weight] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], r)
	}
	return all
}

func writeExchanges(out *strings.Builder, exchanges []conformance.Exchange) {
	if more := len(exchanges) - maxLines; more > 0 {
		fmt.Fprintf(out, "    %d exchanges before these; --json has them\n", more)
		exchanges = exchanges[more:]
	}
	keys := map[string]int{}
	for _, e := range exchanges {
		if e.Key != "" {
			if keys[e.Key] == 0 {
				keys[e.Key] = len(keys) + 1
			}
			// A number tells keys apart as well, and leaves room for the answer.
			e.Key = fmt.Sprint(keys[e.Key])
		}
		fmt.Fprintf(out, "    %s\n", clip(e.String(), width-4))
	}
}
