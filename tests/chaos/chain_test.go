package chaos

// checkChains follows every table and view from its creation to what the database
// points to in the end: each version was made from the one before, its file is
// there and says so.
func (c *checker) checkChains() {
	last := map[string]event{} // by row
	for _, e := range c.ledger.events {
		if !e.Entry {
			continue
		}
		before, known := last[e.ID]
		if known && e.From != before.To || e.Action != creates && !known {
			c.say(brokenChain, "%v after %v", e, before)
		}
		switch e.Action {
		case creates:
			c.checkFirst(e)
		case changes:
			if known && e.Version != before.Version+1 {
				c.say(brokenChain, "%v has version %d after %d", e, e.Version, before.Version)
			}
			c.checkStep(e)
		}
		last[e.ID] = e
		if e.Action == drops {
			delete(last, e.ID)
		}
	}
	for id, e := range last {
		if c.ledger.pointers[id] != e.To {
			c.say(brokenChain, "%v was the last, and the database points to %q", e, c.ledger.pointers[id])
		}
	}
	for id, location := range c.ledger.pointers {
		if _, known := last[id]; !known {
			c.say(brokenChain, "the database points to %s, which no event has led to", location)
		}
	}
	c.checkFiles()
}

// checkFirst checks what a table or view begins with.
func (c *checker) checkFirst(e event) {
	if file := c.ledger.files[e.To]; file != nil && len(file.Log) > 0 {
		c.say(brokenChain, "%v begins with a history: %v", e, file.Log)
	}
}

// checkStep holds a version's file against the one before.
func (c *checker) checkStep(e event) {
	old, now := c.ledger.files[e.From], c.ledger.files[e.To]
	if old == nil || now == nil {
		return // told of elsewhere
	}
	if now.UUID != old.UUID || now.ViewUUID != old.ViewUUID {
		c.say(brokenChain, "%v changes the uuid", e)
	}
	if e.View {
		return // a view's file does not name the one before
	}
	if n := len(now.Log); n == 0 || now.Log[n-1].File != e.From {
		c.say(brokenChain, "%v: the file names another one before it: %v", e, now.Log)
	}
	if now.Updated < old.Updated {
		c.say(brokenChain, "%v: time goes back from %d to %d", e, old.Updated, now.Updated)
	}
	if now.current() == old.current() {
		return
	}
	if parent := now.parentOf(now.current()); parent != old.current() {
		c.say(brokenChain, "%v: snapshot %d does not follow %d", e, now.current(), old.current())
	}
	if now.Sequence <= old.Sequence {
		c.say(brokenChain, "%v: sequence number %d after %d", e, now.Sequence, old.Sequence)
	}
}

// parentOf returns the parent of a snapshot.
func (m *tableState) parentOf(id int64) int64 {
	for _, s := range m.Snapshots {
		if s.ID == id && s.Parent != nil {
			return *s.Parent
		}
	}
	return noSnapshot
}

// checkFiles checks that every file is there that a version was in. A plain drop
// leaves them for somebody to register them again.
func (c *checker) checkFiles() {
	for _, e := range c.ledger.events {
		if e.Entry && e.Action != drops && c.ledger.files[e.To] == nil {
			c.say(missingFile, "%s of %v", e.To, e)
		}
	}
}
