package memory

import "context"

// purgeStride is how many records PurgeExpired deletes under one lock, so that
// requests wait for no more than that.
const purgeStride = 64

// PurgeExpired implements store.Store.
func (s *Store) PurgeExpired(ctx context.Context, limit int) (int, error) {
	if err := s.usable(ctx); err != nil {
		return 0, err
	}
	purged := 0
	for purged < limit {
		if err := s.usable(ctx); err != nil {
			return purged, err
		}
		stride := min(purgeStride, limit-purged)
		n := s.purge(stride)
		purged += n
		if n < stride {
			break
		}
	}
	return purged, nil
}

// purge deletes at most limit expired records. Running reservations are not
// among them, see entry.hold.
func (s *Store) purge(limit int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Clock()
	purged := 0
	for purged < limit {
		e := s.queue.first()
		if e == nil || !e.expired(now) {
			break
		}
		s.remove(e)
		purged++
	}
	return purged
}
