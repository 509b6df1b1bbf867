package storetest

import "github.com/onceberg/onceberg/store"

var fencing = []behaviour{
	{"a zombie loses while the new owner runs", zombieWhileRunning},
	{"a zombie loses after the new owner finalized", zombieAfterFinalize},
	{"a zombie loses after the new owner released", zombieAfterRelease},
	{"a token of another key is worthless", tokenOfAnotherKey},
}

// zombieWhileRunning is case A6: owner A wakes up after B took its lease over.
// What A says changes nothing, and the record ends as B's.
func zombieWhileRunning(s *subject) {
	a := s.lapsed()
	b := again(a)
	s.takeOver(b)
	s.powerless(a)
	s.reserved(b)
	s.finalize(b, success())
	s.final(b, success())
}

func zombieAfterFinalize(s *subject) {
	a := s.lapsed()
	b := again(a)
	s.takeOver(b)
	s.finalize(b, success())
	s.powerless(a)
	s.final(b, success())
}

func zombieAfterRelease(s *subject) {
	a := s.lapsed()
	b := again(a)
	s.takeOver(b)
	s.release(b)
	s.powerless(a)
	s.absent(a.Key)
}

func tokenOfAnotherKey(s *subject) {
	one, two := newClaim(), newClaim()
	s.acquire(one)
	s.acquire(two)
	stray := one
	stray.Token = two.Token
	s.powerless(stray)
	s.reserved(one)
	s.reserved(two)
}

// powerless expects every call that needs a token to refuse the claim's.
func (s *subject) powerless(claim store.Claim) {
	s.Helper()
	for _, outcome := range []store.Outcome{conflict(), success()} {
		err := s.Store.Finalize(s.ctx, claim.Key, claim.Token, outcome, claim.Retain)
		s.wantErr("Finalize", err, store.ErrLeaseLost)
	}
	s.wantErr("Release", s.Store.Release(s.ctx, claim.Key, claim.Token), store.ErrLeaseLost)
	s.wantErr("Renew", s.Store.Renew(s.ctx, claim.Key, claim.Token, long), store.ErrLeaseLost)
	s.wantErr("Renew to zero", s.Store.Renew(s.ctx, claim.Key, claim.Token, 0), store.ErrLeaseLost)
}
