package storetest

import "github.com/onceberg/onceberg/store"

var expiring = []behaviour{
	{"an expired final record is absent", expiredFinal},
	{"a key is new after its record expired", reserveExpired},
	{"of 16 callers one acquires an expired key", reserveExpiredOnce},
	{"retention counts from the last change", retentionFromFinalize},
	{"an outcome of an earlier life is refused", finalizeEarlierLife},
}

// expired returns the claim of a final record whose retention has passed.
func (s *subject) expired() store.Claim {
	s.Helper()
	claim := newClaim()
	claim.Retain = short
	s.acquire(claim)
	s.finalize(claim, success())
	s.pass(short)
	claim.Retain = long
	return claim
}

func expiredFinal(s *subject) {
	s.absent(s.expired().Key)
}

func reserveExpired(s *subject) {
	old := s.expired()
	next := newClaim()
	next.Key = old.Key
	s.acquire(next)
	s.reserved(next)
	s.finalize(next, conflict())
	s.final(next, conflict())
}

func reserveExpiredOnce(s *subject) {
	old := s.expired()
	claims := make([]store.Claim, 16)
	for i := range claims {
		claims[i] = again(old)
	}
	winner := s.reserveAll(claims, false)
	s.reserved(claims[winner])
}

// retentionFromFinalize lets a reservation's own retention pass and expects the
// outcome to live on by the one that Finalize was given.
func retentionFromFinalize(s *subject) {
	claim := newClaim()
	claim.Lease, claim.Retain = 2*short, 2*short
	s.acquire(claim)
	claim.Retain = long
	s.finalize(claim, success())
	s.pass(2 * short)
	s.final(claim, success())
}

func finalizeEarlierLife(s *subject) {
	old := s.expired()
	next := again(old)
	s.acquire(next)
	s.powerless(old)
	s.reserved(next)
}
