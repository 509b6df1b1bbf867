package planning_test

import (
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/planning"
)

// Whatever a client sends, it is refused as invalid or can be planned.
func FuzzRequest(f *testing.F) {
	for _, filter := range understood {
		f.Add(`{"filter":` + filter + `}`)
		f.Add(`{"case-sensitive":false,"filter":{"type":"not","child":` + filter + `}}`)
	}
	f.Add(`{"snapshot-id":1,"select":["id"],"stats-fields":["s"],"min-rows-requested":3}`)
	m := empty(f)
	f.Fuzz(func(t *testing.T, body string) {
		scan, err := resolve(m, body)
		if err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("%s: %v", body, err)
			}
			return
		}
		back, complete, ok := planning.OpenID(scan.ID())
		if !ok {
			t.Fatalf("%s: the plan-id cannot be read", body)
		}
		if _, err := back.Plan(t.Context(), m, nil); err != nil && complete {
			t.Fatalf("%s: %v", body, err)
		}
	})
}

// A text that is no token is never taken for one, and nothing it says does harm.
func FuzzTokens(f *testing.F) {
	task := planning.Task{Scan: planning.Scan{Table: "t"}, From: 1, To: 2}
	f.Add(task.String())
	f.Add(task.Scan.ID())
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		if read, ok := planning.OpenTask(token); ok && (read.From < 0 || read.To < read.From) {
			t.Fatalf("%+v", read)
		}
		planning.OpenID(token)
	})
}
