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

// retentionFromFinalize gives the outcome another retention than the
// reservation had: it is the outcome's that counts.
func retentionFromFinalize(s *subject) {
	shorter := newClaim()
	s.acquire(shorter)
	shorter.Retain = short
	s.finalize(shorter, success())
	s.pass(short)
	s.absent(shorter.Key)

	if s.Advance == nil {
		return // nobody waits for an hour
	}
	longer := newClaim()
	s.acquire(longer)
	longer.Retain = 3 * long
	s.finalize(longer, success())
	s.pass(2 * long)
	s.final(longer, success())
}

func finalizeEarlierLife(s *subject) {
	old := s.expired()
	next := again(old)
	s.acquire(next)
	s.powerless(old)
	s.reserved(next)
}
