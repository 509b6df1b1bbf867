package nodes

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/runtime"
)

// TestViolationsAreFound gives the checker histories of broken servers: a checker
// that finds nothing proves nothing.
func TestViolationsAreFound(t *testing.T) {
	t.Parallel()
	made := answer{status: http.StatusOK, body: `{"made-by":"execution=1"}`}
	conflict := answer{status: http.StatusConflict, kind: "AlreadyExistsException"}
	busy := answer{status: http.StatusConflict, kind: runtime.TypeInProgress}
	unclear := answer{status: http.StatusInternalServerError, kind: runtime.TypeStateUnknown}
	once := []execution{{ID: 1, Operation: "createNamespace", Resource: "namespace/n", Version: 1}}
	twice := append(once[:1:1], execution{ID: 2, Operation: "createNamespace", Resource: "namespace/n", Version: 1})
	there := map[string]int64{"namespace/n": 1}

	for name, test := range map[string]struct {
		answers  []answer
		done     []execution
		versions map[string]int64
		want     string // empty: the history is sound
	}{
		"sound":                     {[]answer{busy, made, made}, once, there, ""},
		"sound refusal":             {[]answer{busy, conflict}, nil, nil, ""},
		"sound, nobody knows":       {[]answer{unclear}, once, there, ""},
		"sound, nobody was told":    {[]answer{{err: http.ErrServerClosed}}, once, there, ""},
		"acknowledged, lost":        {[]answer{made}, nil, nil, "acknowledged and not applied"},
		"acknowledged, twice":       {[]answer{made}, twice, there, "applied 2 times"},
		"unknown, twice":            {[]answer{unclear}, twice, there, "applied 2 times"},
		"refused, applied":          {[]answer{conflict}, once, there, "refused, and applied"},
		"refused once, applied":     {[]answer{made, conflict}, once, there, "differ"},
		"another execution's":       {[]answer{made}, []execution{{ID: 7, Operation: "createNamespace", Resource: "namespace/n", Version: 1}}, there, "acknowledged as execution 1"},
		"nobody's answer":           {[]answer{{status: http.StatusOK}}, once, there, "names no execution"},
		"not the backend's refusal": {[]answer{{status: http.StatusUnprocessableEntity}}, nil, nil, "does not give"},
		"effect lost":               {[]answer{made}, once, nil, "the database holds"},
		"effect without execution":  {[]answer{conflict}, nil, there, "the database holds"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := createNamespace("n")
			after := &ledger{executions: map[string][]execution{}, versions: maps.Clone(test.versions)}
			if test.done != nil {
				after.executions[r.key] = test.done
			}
			found := violations(map[string]*mutation{r.key: {r, test.answers}}, &ledger{versions: map[string]int64{}}, after)
			if test.want == "" && len(found) > 0 {
				t.Errorf("a sound history is called broken: %q", found)
			}
			if test.want != "" && !strings.Contains(strings.Join(found, "\n"), test.want) {
				t.Errorf("found %q; want %q", found, test.want)
			}
		})
	}
}

// TestBrokenChainsAreFound does the same for executions that do not fit together.
func TestBrokenChainsAreFound(t *testing.T) {
	t.Parallel()
	commit := func(id, version int64) execution {
		return execution{ID: id, Operation: "updateTable", Resource: "table/t", Version: version}
	}
	drop := execution{ID: 3, Operation: "dropNamespace", Resource: "namespace/n"}
	for name, test := range map[string]struct {
		done []execution
		want string
	}{
		"sound":       {[]execution{commit(1, 2), commit(2, 3), drop}, ""},
		"lost update": {[]execution{commit(1, 2), commit(2, 2), drop}, "from version 2 to 2"},
		"two drops":   {[]execution{commit(1, 2), commit(2, 3), drop, {ID: 4, Operation: "dropNamespace", Resource: "namespace/n"}}, "existed before: false"},
		"no drop":     {[]execution{commit(1, 2), commit(2, 3)}, "the database holds"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := &ledger{versions: map[string]int64{"table/t": 1, "namespace/n": 1}}
			after := &ledger{executions: map[string][]execution{"k": test.done}, versions: map[string]int64{"table/t": 3}}
			found := strings.Join(chainViolations(before, after), "\n")
			if (test.want == "") != (found == "") || !strings.Contains(found, test.want) {
				t.Errorf("found %q; want %q", found, test.want)
			}
		})
	}
}
