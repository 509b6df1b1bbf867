package memory

// line holds the final records in the order of their finalization and chooses
// which to give up, by SIEVE: a hand walks from the oldest on, passes over what
// was asked for since it came by last, and stops at the first that was not. Where
// the newer half begins it turns back to the oldest, so that half is safe. Every
// step is paid for by a read or ends the search.
type line struct {
	oldest, newest *entry
	hand           *entry // nil stands for the oldest
	length         int
	added          int
}

func (l *line) add(e *entry) {
	l.added++
	l.length++
	e.rank, e.older = l.added, l.newest
	if l.newest != nil {
		l.newest.newer = e
	} else {
		l.oldest = e
	}
	l.newest = e
}

func (l *line) remove(e *entry) {
	l.length--
	if l.hand == e {
		l.hand = e.newer
	}
	if e.older != nil {
		e.older.newer = e.newer
	} else {
		l.oldest = e.newer
	}
	if e.newer != nil {
		e.newer.older = e.older
	} else {
		l.newest = e.older
	}
	e.older, e.newer = nil, nil
}

// coldest returns the record that is worth least, nil when there is none. It is
// the caller's to remove.
func (l *line) coldest() *entry {
	if l.length == 0 {
		return nil
	}
	for {
		if l.hand == nil || l.isNewer(l.hand) {
			l.hand = l.oldest
		}
		if !l.hand.asked {
			return l.hand
		}
		l.hand.asked = false
		l.hand = l.hand.newer
	}
}

// isNewer reports whether e is of the newer half. Those that were asked for stay
// longer than others, so that it goes by rank and not by place.
func (l *line) isNewer(e *entry) bool { return l.added-e.rank < l.length/2 }
