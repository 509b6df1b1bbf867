package storetest

import "github.com/onceberg/onceberg/store"

var finalizing = []behaviour{
	{"the same call again succeeds", finalizeAgain},
	{"another status is refused", finalizeOtherStatus},
	{"an unknown key is refused", finalizeUnknown},
	{"a lapsed lease that nobody took still wins", finalizeLapsed},
	{"of 16 repeated calls all succeed", finalizeAtOnce},
}

// finalizeAgain is what a caller does who lost the first answer. The record that
// the first call made stays.
func finalizeAgain(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.finalize(claim, success())
	s.finalize(claim, success())
	repeated := success()
	repeated.Payload = []byte(`{}`)
	s.finalize(claim, repeated)
	s.final(claim, success())
}

func finalizeOtherStatus(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.finalize(claim, success())
	err := s.Store.Finalize(s.ctx, claim.Key, claim.Token, conflict(), claim.Retain)
	s.wantErr("Finalize", err, store.ErrLeaseLost)
	s.final(claim, success())
}

func finalizeUnknown(s *subject) {
	claim := newClaim()
	err := s.Store.Finalize(s.ctx, claim.Key, claim.Token, success(), claim.Retain)
	s.wantErr("Finalize", err, store.ErrLeaseLost)
	s.absent(claim.Key)
}

func finalizeLapsed(s *subject) {
	claim := s.lapsed()
	s.finalize(claim, success())
	s.final(claim, success())
	s.sameFinal(claim, success(), s.duplicate(again(claim)))
}

func finalizeAtOnce(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	handles := s.handles()
	together(16, func(i int) {
		err := handles[i%len(handles)].Finalize(s.ctx, claim.Key, claim.Token, success(), claim.Retain)
		if err != nil {
			s.Errorf("Finalize: %v", err)
		}
	})
	s.final(claim, success())
}

var releasing = []behaviour{
	{"a released key is new again", releaseThenReserve},
	{"releasing twice loses", releaseTwice},
	{"releasing a final record loses", releaseFinal},
	{"a lapsed lease that nobody took can be released", releaseLapsed},
}

func releaseThenReserve(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.release(claim)
	s.absent(claim.Key)
	next := newClaim()
	next.Key = claim.Key
	s.acquire(next)
	s.reserved(next)
}

func releaseTwice(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.release(claim)
	s.wantErr("Release", s.Store.Release(s.ctx, claim.Key, claim.Token), store.ErrLeaseLost)
}

func releaseFinal(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.finalize(claim, success())
	s.wantErr("Release", s.Store.Release(s.ctx, claim.Key, claim.Token), store.ErrLeaseLost)
	s.final(claim, success())
}

func releaseLapsed(s *subject) {
	claim := s.lapsed()
	s.release(claim)
	s.acquire(again(claim))
}
