package memory

import (
	"slices"
	"time"
)

// maxVictims bounds how many records one look at the ranking chooses.
const maxVictims = 64

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
	victim := s.nextVictim()
	if victim == nil {
		return 0, false
	}
	s.remove(victim)
	return 1, true
}

// nextVictim returns the final record to evict, nil when all is in progress.
func (s *Store) nextVictim() *entry {
	for {
		if len(s.victims) == 0 {
			s.chooseVictims()
		}
		last := len(s.victims) - 1
		if last < 0 {
			return nil
		}
		victim := s.victims[last]
		s.victims[last] = nil
		s.victims = s.victims[:last]
		if victim.place != gone {
			return victim
		}
	}
}

// chooseVictims fills victims with the coldest final records, passing over as
// many of the latest as are half of all. It chooses several at a time because the
// ranking has to be walked past the latest ones first, and few of a small store,
// so that the choice does not grow stale.
func (s *Store) chooseVictims() {
	finals := len(s.queue) - len(s.running)
	want := min(maxVictims, 1+finals/16)
	for candidate := range s.finals.Coldest() {
		e := candidate.Value
		if s.finalized-e.rank < finals/2 {
			continue
		}
		s.victims = append(s.victims, e)
		if len(s.victims) == want {
			break
		}
	}
	slices.Reverse(s.victims)
}
