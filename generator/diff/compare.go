package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/plan"
)

// side is one of the two documents.
type side struct {
	doc  *document.Document
	plan *plan.Plan
}

// spot is a place in a document with what stands there. The node is nil where
// nothing does.
type spot struct {
	at   document.Pointer
	node *document.Node
}

func (s side) spot(at document.Pointer) spot { return spot{at, s.doc.Lookup(at)} }

func (s side) resolve(p spot) spot {
	at, node := s.doc.ResolveAt(p.at)
	return spot{at, node}
}

func (p spot) member(name string) spot { return spot{p.at.To(name), p.node.Get(name)} }

func (p spot) elements(name string) []spot {
	var out []spot
	for i, item := range p.node.Get(name).Elements() {
		out = append(out, spot{p.at.To(name).Index(i), item})
	}
	return out
}

// comparer holds what is found on the way through both documents.
type comparer struct {
	old, new   side
	operations []*operationParts
	shared     map[sharedKey]*part
	same       map[places]bool // whether two schemas are alike
	assumed    []places        // what the question at hand has assumed
}

// places are one in the old document and one in the new.
type places struct{ old, new document.Pointer }

// part is a stretch of the documents that changes are told of: one direction of
// an operation, or a shared component.
type part struct {
	component document.Pointer // in the new document; empty for an operation's part
	uses      []*part          // components that it refers to in both documents
	found     []finding
}

// finding is a change before it is known whom it reaches.
type finding struct {
	kind    Kind
	effect  effect
	pointer document.Pointer
	text    string
}

// sharedKey tells shared components apart. One component can be used in two
// ways, a parameter as a response header, or a schema as the base of others.
type sharedKey struct {
	old, new document.Pointer
	as       string
}

// walker goes through both documents in step and reports to a part.
type walker struct {
	c     *comparer
	part  *part
	base  string // what the part is called in texts
	path  string // where in it the walker is
	depth int    // how many schemas deep
	trial *trial // set when the question is only whether there is a difference
}

func (w walker) found(kind Kind, e effect, at document.Pointer, format string, args ...any) {
	if w.trial != nil {
		// A deprecation changes nothing on the wire.
		w.trial.differs = w.trial.differs || kind != Deprecated && kind != DeprecationLifted
		return
	}
	w.part.found = append(w.part.found, finding{kind, e, at, fmt.Sprintf(format, args...)})
}

// into goes to a field; elements are "[]" and members of maps "{}".
func (w walker) into(step string) walker {
	if w.path != "" && !strings.HasPrefix(step, "[") && !strings.HasPrefix(step, "{") && !strings.HasPrefix(step, "(") {
		step = "." + step
	}
	w.path += step
	return w
}

// subject names the place in words: "Table.name", or "name in the request body".
func (w walker) subject() string {
	switch {
	case w.path == "":
		return w.base
	case strings.Contains(w.base, " "):
		return w.path + " in " + w.base
	case strings.ContainsAny(w.path[:1], "[{("):
		return w.base + w.path
	}
	return w.base + "." + w.path
}

// follow compares what stands at two places. Where both refer to the same
// component, it is compared once, for all that use it.
func (w walker) follow(o, n spot, as string, compare func(walker, spot, spot)) {
	oldRef, oldIs := o.node.Ref()
	newRef, newIs := n.node.Ref()
	if oldIs && newIs && oldRef == newRef {
		w.enter(sharedKey{oldRef, newRef, as}, func(inner walker) {
			compare(inner, w.c.old.resolve(o), w.c.new.resolve(n))
		})
		return
	}
	compare(w, w.c.old.resolve(o), w.c.new.resolve(n))
}

// enter notes that the part uses a component, and compares it at the first time.
func (w walker) enter(key sharedKey, compare func(walker)) {
	if w.trial != nil {
		return // it is compared when the walk is in earnest
	}
	p, known := w.c.shared[key]
	if !known {
		p = &part{component: key.new}
		w.c.shared[key] = p
		compare(walker{c: w.c, part: p, base: called(key.new, key.as)})
	}
	w.part.uses = append(w.part.uses, p)
}

// called names a component: a schema by its name alone, anything else with what
// it is.
func called(at document.Pointer, as string) string {
	tokens := at.Tokens()
	switch {
	case len(tokens) != 3 || tokens[0] != "components":
		return as + " at " + at.Ref()
	case as == schemaPart || as == basePart:
		return tokens[2]
	}
	return as + " " + tokens[2]
}

// changes gives all findings the operations and the parties that they reach.
func (c *comparer) changes() []Change {
	changes := []Change{}
	reach := map[*part]map[*operationParts]direction{}
	for _, o := range c.operations {
		for _, own := range []struct {
			part *part
			way  direction
		}{{&o.facts, 0}, {&o.request, inRequest}, {&o.response, inResponse}} {
			for _, f := range own.part.found {
				change := f.change(own.way, []string{o.id()})
				change.Operation = o.id()
				changes = append(changes, change)
			}
			spread(reach, own.part, o, own.way)
		}
	}
	for _, p := range c.components() {
		for _, f := range p.found {
			var way direction
			ids := []string{}
			for _, o := range c.operations {
				if d, reached := reach[p][o]; reached {
					way |= d
					ids = append(ids, o.id())
				}
			}
			change := f.change(way, ids)
			change.Component = p.component
			changes = append(changes, change)
		}
	}
	return changes
}

// spread notes for each component that a part leads to that the operation
// reaches it this way.
func spread(reach map[*part]map[*operationParts]direction, from *part, o *operationParts, way direction) {
	for _, p := range from.uses {
		if reach[p] == nil {
			reach[p] = map[*operationParts]direction{}
		}
		if reach[p][o]&way != 0 {
			continue
		}
		reach[p][o] |= way
		spread(reach, p, o, way)
	}
}

// components are the shared parts, sorted.
func (c *comparer) components() []*part {
	var keys []sharedKey
	for key := range c.shared {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b sharedKey) int {
		return cmp.Or(cmp.Compare(a.new, b.new), cmp.Compare(a.old, b.old), cmp.Compare(a.as, b.as))
	})
	var parts []*part
	for _, key := range keys {
		parts = append(parts, c.shared[key])
	}
	return parts
}

func (f finding) change(way direction, operations []string) Change {
	change := Change{Kind: f.kind, Severity: Notable, Breaks: f.effect.breaks(way), Operations: operations, Pointer: f.pointer, Text: f.text}
	if len(change.Breaks) > 0 {
		change.Severity = Breaking
	}
	return change
}
