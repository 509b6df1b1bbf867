package storetest

import "github.com/onceberg/onceberg/store"

var leasing = []behaviour{
	{"a live lease is not taken over", liveLeaseStays},
	{"a lapsed lease is taken over in one step", lapsedLeaseIsTakenOver},
	{"a taken-over lease lives again", takenOverLeaseLives},
	{"of 16 takers one takes over", func(s *subject) { s.takeOverOnce(16) }},
	{"of 64 takers one takes over", func(s *subject) { s.takeOverOnce(64) }},
	{"another binding does not take over", otherBindingDoesNotTakeOver},
	{"a lapsed reservation past its retention is free", forgottenReservationIsFree},
	{"a short retention does not end a live lease", leaseOutlivesRetention},
	{"a record says whether its lease has lapsed", recordTellsLapse},
	{"renew keeps a lease", renewKeeps},
	{"renew revives a lapsed lease that nobody took", renewRevives},
	{"renew outlives a short retention", renewOutlivesRetention},
	{"renew with zero lets go", renewLetsGo},
	{"renew of a final record loses", renewFinal},
	{"renew of an unknown key loses", renewUnknown},
}

// lapsed returns a claim whose lease has run out while its retention has not.
func (s *subject) lapsed() store.Claim {
	s.Helper()
	claim := newClaim()
	claim.Lease = short
	s.acquire(claim)
	s.pass(short)
	claim.Lease = long
	return claim
}

func liveLeaseStays(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.pass(short)
	s.sameReservation(claim, s.duplicate(again(claim)))
}

func lapsedLeaseIsTakenOver(s *subject) {
	lost := s.lapsed()
	taker := again(lost)
	taker.Audit = "node b"
	s.takeOver(taker)
	s.reserved(taker)
	s.takeOver(taker) // who asks again is told so again
	s.reserved(taker)
}

func takenOverLeaseLives(s *subject) {
	lost := s.lapsed()
	taker := again(lost)
	s.takeOver(taker)
	s.pass(short)
	s.sameReservation(taker, s.duplicate(again(lost)))
	s.finalize(taker, success())
	s.final(taker, success())
}

func (s *subject) takeOverOnce(n int) {
	lost := s.lapsed()
	claims := make([]store.Claim, n)
	for i := range claims {
		claims[i] = again(lost)
	}
	winner := s.reserveAll(claims, true)
	s.reserved(claims[winner])
}

// otherBindingDoesNotTakeOver keeps a reused key refused even after a crash: the
// caller sees the lapsed reservation of the other request, and the one whose
// request it is can still take it over.
func otherBindingDoesNotTakeOver(s *subject) {
	lost := s.lapsed()
	other := newClaim()
	other.Key = lost.Key
	s.sameReservation(lost, s.duplicate(other))
	other = again(lost)
	other.Binding.Principal[0]++
	s.sameReservation(lost, s.duplicate(other))
	s.takeOver(again(lost))
}

func forgottenReservationIsFree(s *subject) {
	claim := newClaim()
	claim.Lease, claim.Retain = short, short
	s.acquire(claim)
	s.pass(short)
	s.absent(claim.Key)
	next := newClaim()
	next.Key = claim.Key
	s.acquire(next)
	s.reserved(next)
}

func leaseOutlivesRetention(s *subject) {
	claim := newClaim()
	claim.Retain = short
	s.acquire(claim)
	s.pass(short)
	s.sameReservation(claim, s.duplicate(again(claim)))
	s.reserved(claim)
}

func recordTellsLapse(s *subject) {
	claim := newClaim()
	other := newClaim()
	other.Key = claim.Key
	expect := func(lapsed bool) {
		s.Helper()
		for _, record := range []*store.Record{s.load(claim.Key), s.duplicate(other)} {
			if record.Lapsed != lapsed {
				s.Errorf("Lapsed is %t, want %t", record.Lapsed, lapsed)
			}
		}
	}
	claim.Lease = short
	s.acquire(claim)
	s.renew(claim, long)
	expect(false)
	s.renew(claim, 0)
	s.pass(0)
	expect(true)
	taker := again(claim)
	taker.Lease = long
	s.takeOver(taker)
	expect(false)
	s.renew(taker, 0)
	s.pass(0)
	s.finalize(taker, success())
	expect(false)
}

func renewKeeps(s *subject) {
	claim := newClaim()
	claim.Lease = short
	s.acquire(claim)
	s.renew(claim, long)
	s.pass(short)
	s.sameReservation(claim, s.duplicate(again(claim)))
	s.finalize(claim, success())
	s.final(claim, success())
}

func renewRevives(s *subject) {
	claim := s.lapsed()
	s.renew(claim, long)
	s.sameReservation(claim, s.duplicate(again(claim)))
}

func renewOutlivesRetention(s *subject) {
	claim := newClaim()
	claim.Retain = short
	s.acquire(claim)
	s.renew(claim, 2*long)
	s.pass(short)
	s.sameReservation(claim, s.duplicate(again(claim)))
	s.purged(0, 10)
	s.reserved(claim)
}

func renewLetsGo(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.renew(claim, 0)
	// By the store's precision the lease may end with the current instant.
	s.pass(0)
	s.reserved(claim)
	taker := again(claim)
	s.takeOver(taker)
	s.wantErr("Renew", s.Store.Renew(s.ctx, claim.Key, claim.Token, long), store.ErrLeaseLost)
	s.reserved(taker)
}

func renewFinal(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.finalize(claim, success())
	s.wantErr("Renew", s.Store.Renew(s.ctx, claim.Key, claim.Token, long), store.ErrLeaseLost)
	s.final(claim, success())
}

func renewUnknown(s *subject) {
	claim := newClaim()
	s.wantErr("Renew", s.Store.Renew(s.ctx, claim.Key, claim.Token, long), store.ErrLeaseLost)
	s.absent(claim.Key)
}
