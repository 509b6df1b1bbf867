package storetest

import (
	"sync/atomic"
	"time"

	"github.com/onceberg/onceberg/store"
)

var filling = []behaviour{
	{"a store full of reservations refuses a new key", fillWithReservations},
	{"a full store still answers for the keys it has", answerWhenFull},
	{"a full store makes room by what has expired", expiredMakesRoom},
}

// fill reserves as many keys as the store holds.
func (s *subject) fill() []store.Claim {
	s.Helper()
	claims := make([]store.Claim, s.Capacity)
	var next atomic.Int64
	together(8, func(int) {
		for i := next.Add(1) - 1; i < int64(len(claims)); i = next.Add(1) - 1 {
			claims[i] = newClaim()
			got, err := s.Store.Reserve(s.ctx, claims[i])
			if err != nil || !got.Acquired {
				s.Errorf("reserving key %d of %d: acquired %t, error %v", i+1, len(claims), got.Acquired, err)
				return
			}
		}
	})
	if s.Failed() {
		s.FailNow()
	}
	return claims
}

func (s *subject) refused(claim store.Claim) {
	s.Helper()
	_, err := s.Store.Reserve(s.ctx, claim)
	s.wantErr("Reserve", err, store.ErrFull)
}

// fillWithReservations is the second half of case A6: what is in progress is
// never evicted, the new key is refused.
func fillWithReservations(s *subject) {
	claims := s.fill()
	extra := newClaim()
	s.refused(extra)
	s.absent(extra.Key)
	for _, claim := range claims {
		s.reserved(claim)
	}
	s.release(claims[0])
	s.acquire(extra)
	s.refused(newClaim())
}

func answerWhenFull(s *subject) {
	claims := s.fill()
	s.sameReservation(claims[0], s.duplicate(again(claims[0])))
	s.renew(claims[0], long)
	s.finalize(claims[0], success())
	s.sameFinal(claims[0], success(), s.duplicate(again(claims[0])))
	// A takeover needs no room of its own.
	s.renew(claims[1], 0)
	s.tick(0)
	s.eventually("the reservation to lapse", func() bool {
		return s.reserve(again(claims[1])).TakenOver
	})
}

func expiredMakesRoom(s *subject) {
	claims := s.fill()
	claims[0].Retain = short
	s.finalize(claims[0], success())
	s.tick(short)
	s.eventually("an expired record to make room", func() bool {
		_, err := s.Store.Reserve(s.ctx, newClaim())
		return err == nil
	})
	s.refused(newClaim())
	s.absent(claims[0].Key)
}

// tick moves the clock where it can be moved. Unlike pass it reserves no
// witness, for which a full store has no room.
func (s *subject) tick(d time.Duration) {
	if s.Advance != nil {
		s.Advance(d + s.ClockPrecision)
	}
}
