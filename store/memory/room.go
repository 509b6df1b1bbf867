package memory

import "time"

// makeRoom sees to it that one more entry fits. It returns how many live records
// it evicted for that, and false when nothing more could go. The caller holds mu.
func (s *Store) makeRoom(now time.Time) (evicted int, ok bool) {
	for s.full() {
		// An expired reservation has a lapsed lease too, see entry.hold.
		victim := s.queue.first()
		if !victim.expired(now) {
			if s.options.WhenFull == Refuse {
				return evicted, false
			}
			if victim = s.finals.coldest(); victim == nil {
				return evicted, false
			}
			evicted++
		}
		s.remove(victim)
	}
	return evicted, true
}

// full reports whether a new entry has no room. Bytes are those of final records
// alone, so that a store of nothing but reservations is never full of them.
func (s *Store) full() bool {
	return s.queue.len() >= s.options.MaxEntries || s.bytes >= s.options.MaxBytes
}
