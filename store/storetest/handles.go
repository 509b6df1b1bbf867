package storetest

var sharing = []behaviour{
	{"what one handle writes the other reads", shareRecords},
	{"a second handle takes over what the first let lapse", shareTakeover},
	{"closing one handle leaves the other open", shareClose},
}

func shareRecords(s *subject) {
	other := s.other()
	claim := newClaim()
	s.acquire(claim)
	other.reserved(claim)
	other.finalize(claim, success())
	s.final(claim, success())
}

func shareTakeover(s *subject) {
	other := s.other()
	claim := newClaim()
	claim.Lease = short
	s.acquire(claim)
	s.pass(short)
	next := again(claim)
	next.Lease = long
	other.takeOver(next)
	s.sameReservation(next, s.duplicate(again(claim)))
}

func shareClose(s *subject) {
	other := s.other()
	if err := other.Store.Close(); err != nil {
		s.Fatalf("Close: %v", err)
	}
	claim := newClaim()
	s.acquire(claim)
	s.finalize(claim, success())
}

// other returns the subject of a second handle on the same data.
func (s *subject) other() *subject {
	second := *s
	second.Store = s.Reopen(s)
	return &second
}
