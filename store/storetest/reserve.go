package storetest

import "github.com/onceberg/onceberg/store"

var reserving = []behaviour{
	{"a new key is acquired", reserveNew},
	{"of 16 callers one acquires the key", func(s *subject) { s.reserveOnce(16) }},
	{"of 64 callers one acquires the key", func(s *subject) { s.reserveOnce(64) }},
	{"a duplicate of a reserved key gets the reservation", duplicateOfReserved},
	{"a duplicate of a final key gets the outcome", duplicateOfFinal},
	{"a duplicate changes nothing", duplicateChangesNothing},
	{"another binding gets the record as it is", duplicateWithOtherBinding},
	{"keys do not disturb each other", reserveManyKeys},
	{"who holds a key and asks again is told so again", reserveAgain},
}

func reserveNew(s *subject) {
	claim := newClaim()
	s.absent(claim.Key)
	s.acquire(claim)
	s.reserved(claim)
}

// reserveOnce sends n claims on one key at once, through two handles where there
// are two. Case A11: the others must learn of the winner, whoever it is.
func (s *subject) reserveOnce(n int) {
	first := newClaim()
	claims := make([]store.Claim, n)
	for i := range claims {
		claims[i] = again(first)
	}
	winner := s.reserveAll(claims, false)
	s.reserved(claims[winner])
}

// reserveAll sends all claims at once and returns the index of the only one that
// acquired the key, by takeover or not, after checking that all others were
// shown the winner's reservation.
func (s *subject) reserveAll(claims []store.Claim, takenOver bool) int {
	handles := s.handles()
	results := make([]store.Reservation, len(claims))
	errs := make([]error, len(claims))
	together(len(claims), func(i int) {
		results[i], errs[i] = handles[i%len(handles)].Reserve(s.ctx, claims[i])
	})
	winner := -1
	for i, result := range results {
		if errs[i] != nil {
			s.Fatalf("Reserve: %v", errs[i])
		}
		if !result.Acquired {
			continue
		}
		if winner >= 0 {
			s.Fatal("two callers acquired the same key")
		}
		if result.TakenOver != takenOver {
			s.Fatalf("TakenOver is %t, want %t", result.TakenOver, takenOver)
		}
		winner = i
	}
	if winner < 0 {
		s.Fatal("nobody acquired the key")
	}
	for i, result := range results {
		if i != winner {
			s.sameReservation(claims[winner], result.Existing)
		}
	}
	return winner
}

// reserveAgain is for a caller whose first answer was lost: did it get the key, and
// from whom?
func reserveAgain(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.acquire(claim)
	s.reserved(claim)
	s.release(claim)
	s.absent(claim.Key)
	s.acquire(claim)
	s.finalize(claim, success())
	s.sameFinal(claim, success(), s.duplicate(claim))
}

func duplicateOfReserved(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.sameReservation(claim, s.duplicate(again(claim)))
}

func duplicateOfFinal(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.finalize(claim, success())
	s.sameFinal(claim, success(), s.duplicate(again(claim)))
}

func duplicateChangesNothing(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	other := again(claim)
	other.Audit = "node b"
	s.duplicate(other)
	s.reserved(claim)
	s.wantErr("Finalize", s.Store.Finalize(s.ctx, other.Key, other.Token, success(), long), store.ErrLeaseLost)
	s.finalize(claim, success())
	s.duplicate(other)
	s.final(claim, success())
}

// duplicateWithOtherBinding is case A9: the store shows what holds the key and
// leaves the comparison to the caller.
func duplicateWithOtherBinding(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	other := newClaim()
	other.Key = claim.Key
	s.sameReservation(claim, s.duplicate(other))
	s.finalize(claim, success())
	s.sameFinal(claim, success(), s.duplicate(other))
}

// reserveManyKeys is case D3: reserving different new keys at once must neither
// conflict nor deadlock.
func reserveManyKeys(s *subject) {
	const writers, each = 16, 20
	handles := s.handles()
	together(writers, func(i int) {
		h := handles[i%len(handles)]
		for range each {
			if err := firstExecution(s, h, newClaim()); err != nil {
				s.Errorf("a key of its own: %v", err)
				return
			}
		}
	})
}

// firstExecution reserves and finalizes a key without ending the test, so that
// it can run on any goroutine.
func firstExecution(s *subject, h store.Store, claim store.Claim) error {
	got, err := h.Reserve(s.ctx, claim)
	if err != nil {
		return err
	}
	if !got.Acquired || got.TakenOver {
		s.Errorf("Reserve: Acquired %t, TakenOver %t for a new key", got.Acquired, got.TakenOver)
	}
	return h.Finalize(s.ctx, claim.Key, claim.Token, success(), claim.Retain)
}
