package diff

// trial is the question whether two places differ, instead of how.
type trial struct{ differs bool }

// alike reports whether two schemas are the same but for names that are not on
// the wire. It tells nothing.
func (w walker) alike(was, is use) bool {
	o, n := was.spot, is.spot
	if was.ref != "" && is.ref != "" {
		if was.ref == is.ref {
			return true // what changed in it is told there
		}
		o, n = w.c.old.spot(was.ref), w.c.new.spot(is.ref)
	}
	key := places{o.at, n.at}
	if same, known := w.c.same[key]; known {
		return same
	}
	// Schemas that contain themselves are alike until something shows otherwise.
	w.c.same[key] = true
	w.c.assumed = append(w.c.assumed, key)
	t := &trial{}
	walker{c: w.c, trial: t, depth: w.depth}.schema(o, n)
	w.c.same[key] = !t.differs
	if w.trial == nil {
		w.c.settle(!t.differs)
	}
	return !t.differs
}

// settle ends a question. Where the answer was no, the yeses on the way may have
// rested on the assumption that it would be yes, so they are forgotten.
func (c *comparer) settle(yes bool) {
	for _, key := range c.assumed {
		if !yes && c.same[key] {
			delete(c.same, key)
		}
	}
	c.assumed = nil
}
