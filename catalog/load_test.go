package catalog_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/runtime"
)

const committers = 50

// appendTo appends a snapshot as a client does: from a state that it has read,
// and again from a newer one for as long as it is told that it was late.
func (s server) appendTo(t *testing.T, table string, id int, conflicts *atomic.Int64) {
	for {
		parent, link, sequence := "null", "", 0
		current := metadata(s.do(http.MethodGet, tablePath(table)+"?snapshots=refs", ""))
		if refs, _ := current["refs"].(map[string]any); refs["main"] != nil {
			parent = fmt.Sprintf("%.0f", refs["main"].(map[string]any)["snapshot-id"])
			link = `"parent-snapshot-id":` + parent + ","
		}
		if last, ok := current["last-sequence-number"].(float64); ok {
			sequence = int(last)
		}
		body := fmt.Sprintf(`{"requirements":[{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":%[1]s}],"updates":[`+
			`{"action":"add-snapshot","snapshot":{"snapshot-id":%[2]d,%[5]s"sequence-number":%[3]d,"timestamp-ms":%[4]d,`+
			`"manifest-list":"file:/none/%[2]d.avro","summary":{"operation":"append"},"schema-id":0}},`+
			`{"action":"set-snapshot-ref","ref-name":"main","type":"branch","snapshot-id":%[2]d}]}`,
			parent, id, sequence+1, time.Now().UnixMilli(), link)
		switch a := s.do(http.MethodPost, tablePath(table), body, newKey()...); a.status {
		case http.StatusOK:
			return
		case http.StatusConflict:
			conflicts.Add(1)
		default:
			t.Errorf("%d %s", a.status, a.text)
			return
		}
	}
}

// Fifty that commit at once, each to a table of its own and then all to one: no
// commit is lost, none is applied twice, and who was late is told so and nothing
// else.
func TestManyCommitters(t *testing.T) {
	t.Parallel()
	s := listen(t, complete(t, catalog.Config{}, dsns["postgres"](t)), runtime.ModeTransactional).withNamespace()
	for name, tables := range map[string]int{"one table": 1, "a table each": committers} {
		var conflicts atomic.Int64
		nameOf := func(i int) string { return fmt.Sprintf("t%d of %d", i%tables, tables) }
		for i := range tables {
			s.must(200, s.createTable(nameOf(i)))
		}
		began := time.Now()
		var wg sync.WaitGroup
		for i := range committers {
			wg.Go(func() { s.appendTo(t, nameOf(i), i+1, &conflicts) })
		}
		wg.Wait()
		took := time.Since(began)
		total := 0
		for i := range tables {
			m := metadata(s.do(http.MethodGet, tablePath(nameOf(i)), ""))
			snapshots, _ := m["snapshots"].([]any)
			total += len(snapshots)
			if int(m["last-sequence-number"].(float64)) != len(snapshots) || len(m["snapshot-log"].([]any)) != len(snapshots) {
				t.Errorf("%s: %d snapshots, last sequence number %v", name, len(snapshots), m["last-sequence-number"])
			}
		}
		if total != committers {
			t.Errorf("%s: %d of %d commits are there", name, total, committers)
		}
		t.Logf("%s: %d commits in %v, %d conflicts", name, committers, took.Round(time.Millisecond), conflicts.Load())
	}
}
