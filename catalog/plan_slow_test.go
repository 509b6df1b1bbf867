package catalog_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/runtime"
)

// While a plan with a key waits for its storage, others write: SQLite has one
// writer at a time, and the plan is none until it is made.
func TestSlowPlanHoldsUpNobody(t *testing.T) {
	t.Parallel()
	registerFlaky()
	l := newLake(t, listen(t, complete(t, catalog.Config{}, dsns["sqlite"](t)), runtime.ModeTransactional))
	l.must(200, l.do(http.MethodPost, pathOf("ns")+"/tables",
		`{"name":"t","location":"flaky://slow-plan/t","schema":`+jsonOf(measures)+`}`))
	made, err := l.client.LoadTable(t.Context(), table.Identifier{"ns", "t"})
	if err != nil {
		t.Fatal(err)
	}
	l.append(made, row(1, "a", "2024-01-01"))

	s := &slowness{asked: make(chan struct{}, 100), over: make(chan struct{})}
	bucketOf("slow-plan").slow.Store(s)
	planKey := newKey()
	plan := func() answer { return l.do(http.MethodPost, tablePath("t")+"/plan", `{}`, planKey...) }
	var first answer
	var planning sync.WaitGroup
	planning.Go(func() { first = plan() })
	<-s.asked
	created := l.do(http.MethodPost, "/v1/namespaces", `{"namespace":["other"]}`, newKey()...)
	close(s.over)
	planning.Wait()
	l.must(200, created)
	l.must(200, first)
	if again := plan(); again.text != first.text || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("first %s\nagain %v %s", first.text, again.header, again.text)
	}
}
