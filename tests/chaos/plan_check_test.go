package chaos

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/client/clienttest"
)

func steps(seed uint64, client, n int) []step {
	p, all := newPlan(seed, client), []step{}
	for range n {
		all = append(all, p.next())
	}
	return all
}

// A seed reproduces what each client does, and another seed does not.
func TestSeedReproducesThePlan(t *testing.T) {
	t.Parallel()
	for client := range 3 {
		first := steps(7, client, 500)
		if !reflect.DeepEqual(first, steps(7, client, 500)) {
			t.Errorf("client %d does something else the second time", client)
		}
		if reflect.DeepEqual(first, steps(8, client, 500)) || reflect.DeepEqual(first, steps(7, client+1, 500)) {
			t.Errorf("client %d does the same with another seed, or as another client", client)
		}
	}
}

// The checker tells by its name whose a drop or rename is, so that each name is
// dropped by one mutation and renamed to by one. All operations occur.
func TestPlansAreUnambiguous(t *testing.T) {
	t.Parallel()
	seen, operations := map[effect]step{}, map[string]bool{}
	for client := range workers {
		for _, s := range steps(7, client, 500) {
			operations[s.Operation] = true
			if s.Operation == "commitTransaction" {
				continue
			}
			r, e := s.requestOf("m", "/w")
			if other, taken := seen[e]; taken && (e.Action == drops || e.Action == renames) && !other.refusedAsFull() {
				t.Fatalf("%v and %v have the effect %v", other, s, e)
			}
			seen[e] = s
			if r.Method != http.MethodDelete && s.Operation != "renameTable" && s.Operation != "renameView" && !strings.Contains(r.Body, `"m"`) {
				t.Errorf("%v leaves no mark: %s", s, r.Body)
			}
		}
	}
	if len(operations) != 12 {
		t.Errorf("%d operations: %v", len(operations), operations)
	}
}

// refusedAsFull reports whether the step drops a namespace that is not empty.
func (s step) refusedAsFull() bool { return s.Operation == "dropNamespace" && !s.Certain }

// A seed also reproduces what the network does to each arrival of a request, and a
// fifth of the answers is lost.
func TestSeedReproducesTheNetwork(t *testing.T) {
	t.Parallel()
	const n = 2000
	losing := map[clienttest.Kind]bool{
		clienttest.Lose: true, clienttest.Cut: true, clienttest.Reset: true, clienttest.Abandon: true, clienttest.Replace: true,
	}
	first, second := newFaults(t.Context(), 7), newFaults(t.Context(), 7)
	var lost int
	for range n {
		a, b := first.fault(first.chances("m")), second.fault(second.chances("m"))
		if a != b {
			t.Fatalf("%v and %v", a, b)
		}
		if losing[a.Kind] {
			lost++
		}
	}
	if lost < n*losses/100*8/10 || lost > n*losses/100*12/10 || int64(lost) != first.lost.Load() {
		t.Errorf("%d of %d answers are lost; %d counted", lost, n, first.lost.Load())
	}
	first.calm.Store(true)
	r, err := http.NewRequest(http.MethodPost, "http://x/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(markHeader, "m")
	for range 100 {
		if f := first.choose(r); f != (clienttest.Fault{}) {
			t.Fatalf("%v when all is calm", f)
		}
	}
}
