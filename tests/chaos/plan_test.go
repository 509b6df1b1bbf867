package chaos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// step is one thing that a client has been given to do.
type step struct {
	Client, Number int
	// Operation is the id of the operation.
	Operation string
	// Object is what it is done to, a namespace or namespace.name; To is its new
	// name.
	Object, To string
	// Tables are the shared tables that a transaction changes.
	Tables []string
	// Staged creates a table by the commit that ends a staged creation.
	Staged bool
	// Blind commits to a shared table without having looked at it. Nothing but its
	// key keeps such a commit from being applied twice.
	Blind bool
	// Certain is set when nothing but a lost step before this one can be a reason
	// to refuse it: no other client touches the object.
	Certain bool
}

// Names that clients share.
const (
	common       = "common"
	sharedTables = 10
)

func sharedTable(i int) string { return fmt.Sprintf("%s.shared_%d", common, i) }

// plan makes up the steps of a client from the seed alone. It takes each step for
// done as soon as it is given: what became of them does not change the schedule.
type plan struct {
	client     int
	number     int
	random     *rand.Rand
	namespaces []string
	tables     []string
	views      []string
}

func newPlan(seed uint64, client int) *plan {
	return &plan{client: client, random: rand.New(rand.NewPCG(seed, uint64(client)))}
}

// enough is how many objects of a kind a client keeps.
const enough = 4

// next returns the next step.
func (p *plan) next() step {
	p.number++
	s := step{Client: p.client, Number: p.number, Certain: true}
	switch choice := p.random.IntN(100); {
	case choice < 12:
		p.aboutNamespaces(&s)
	case choice < 42:
		p.aboutTables(&s)
	case choice < 62:
		p.aboutViews(&s)
	case choice < 72:
		p.contend(&s)
	case choice < 90:
		s.Operation, s.Object, s.Certain = "updateTable", sharedTable(p.random.IntN(sharedTables)), false
		s.Blind = p.random.IntN(4) == 0
	default:
		s.Operation, s.Certain = "commitTransaction", false
		for _, i := range p.random.Perm(sharedTables)[:2+p.random.IntN(2)] {
			s.Tables = append(s.Tables, sharedTable(i))
		}
	}
	return s
}

// own makes up a name that nothing else ever has.
func (p *plan) own(kind string) string { return fmt.Sprintf("%s_%d_%d", kind, p.client, p.number) }

func (p *plan) aboutNamespaces(s *step) {
	switch choice := p.random.IntN(4); {
	case len(p.namespaces) == 0 || choice == 0 && len(p.namespaces) < enough:
		s.Operation, s.Object = "createNamespace", p.own("ns")
		p.namespaces = append(p.namespaces, s.Object)
	case choice == 1:
		s.Operation, s.Object = "dropNamespace", pick(p.random, p.namespaces)
		if p.occupied(s.Object) {
			s.Certain = false // refused for what is in it
			return
		}
		p.namespaces = without(p.namespaces, s.Object)
	default:
		s.Operation, s.Object = "updateProperties", pick(p.random, p.namespaces)
	}
}

// occupied reports whether there is something in a namespace.
func (p *plan) occupied(namespace string) bool {
	return slices.ContainsFunc(append(slices.Clone(p.tables), p.views...), func(name string) bool {
		return strings.HasPrefix(name, namespace+".")
	})
}

func (p *plan) aboutTables(s *step) {
	p.aboutEntries(s, &p.tables, "table", "createTable", "updateTable", "renameTable", "dropTable")
	if s.Operation == "createTable" && p.random.IntN(3) == 0 {
		s.Operation, s.Staged = "updateTable", true
	}
}

func (p *plan) aboutViews(s *step) {
	p.aboutEntries(s, &p.views, "view", "createView", "replaceView", "renameView", "dropView")
}

// aboutEntries does something with one of the client's own tables or views.
func (p *plan) aboutEntries(s *step, entries *[]string, kind, create, change, rename, drop string) {
	switch choice := p.random.IntN(10); {
	case len(*entries) == 0 || choice < 3 && len(*entries) < enough:
		s.Operation, s.Object = create, p.somewhere()+"."+p.own(kind)
		*entries = append(*entries, s.Object)
	case choice < 3 || choice == 9:
		s.Operation, s.Object = drop, pick(p.random, *entries)
		*entries = without(*entries, s.Object)
	case choice < 5:
		s.Operation, s.Object, s.To = rename, pick(p.random, *entries), p.somewhere()+"."+p.own(kind)
		*entries = append(without(*entries, s.Object), s.To)
	default:
		s.Operation, s.Object = change, pick(p.random, *entries)
	}
}

// somewhere is one of the client's own namespaces or the common one.
func (p *plan) somewhere() string { return pick(p.random, append([]string{common}, p.namespaces...)) }

// contend wants what others want too, or what nobody has.
func (p *plan) contend(s *step) {
	s.Certain = false
	switch p.random.IntN(3) {
	case 0:
		s.Operation, s.Object = "createNamespace", fmt.Sprintf("wanted_%d", p.number/4)
	case 1:
		s.Operation, s.Object = "createTable", fmt.Sprintf("%s.wanted_%d", common, p.number/4)
	default:
		s.Operation, s.Object = "dropTable", common+"."+p.own("nothing")
	}
}

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
}
