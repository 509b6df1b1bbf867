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
		var last *conformance.Result
		for i := range r.Results {
			result := &r.Results[i]
			if result.Case != c.ID || result.Verdict != conformance.Fail && result.Verdict != conformance.Unclear {
				continue
			}
			if last == nil || last.Verdict != result.Verdict || last.Level != result.Level {
				label := strings.ToUpper(string(result.Verdict))
				fmt.Fprintf(out, "\n%s %s: %s (%s)\n", paint(*result, label), c.ID, c.Title, result.Level)
			}
			if last == nil {
				wrap(out, "  ", fmt.Sprintf("It rests on %q (%s).", c.Sentence, c.Place))
			}
			wrap(out, "  ", result.Operation+": "+result.Finding)
			if last == nil {
				writeExchanges(out, result.Exchanges)
			}
			last = result
		}
	}
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
