package memory

import "time"

// makeRoom sees to it that one more entry fits. It returns how many live records
// it evicted for that, and false when nothing could go. The caller holds mu.
func (s *Store) makeRoom(now time.Time) (evicted int, ok bool) {
	if len(s.queue) < s.options.MaxEntries {
		return 0, true
	}
	// An expired reservation has a lapsed lease too, see entry.hold.
	if next := s.queue[0]; next.expired(now) {
		s.remove(next)
		return 0, true
	}
	if s.options.WhenFull == Refuse {
		return 0, false
	}
	victim := s.finals.coldest()
	if victim == nil {
		return 0, false
	}
	s.remove(victim)
	return 1, true
}
