package storetest

import (
	"errors"

	"github.com/onceberg/onceberg/store"
)

var closing = []behaviour{
	{"a closed store refuses every call", callClosed},
	{"closing twice is harmless", closeTwice},
	{"closing beside running calls is harmless", closeUnderLoad},
}

func callClosed(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.close()
	for _, c := range calls(claim) {
		s.wantErr(c.name, c.run(s.ctx, s.Store), store.ErrClosed)
	}
}

func (s *subject) close() {
	s.Helper()
	if err := s.Store.Close(); err != nil {
		s.Fatalf("Close: %v", err)
	}
}

func closeTwice(s *subject) {
	s.close()
	s.close()
	_, err := s.Store.Load(s.ctx, newClaim().Key)
	s.wantErr("Load", err, store.ErrClosed)
}

// closeUnderLoad expects calls that overlap Close to end, well or badly, and
// those after it to get ErrClosed.
func closeUnderLoad(s *subject) {
	started := make(chan struct{}, 1)
	together(9, func(i int) {
		if i == 0 {
			<-started
			if err := s.Store.Close(); err != nil {
				s.Errorf("Close: %v", err)
			}
			return
		}
		for s.ctx.Err() == nil {
			claim := newClaim()
			_, err := s.Store.Reserve(s.ctx, claim)
			select {
			case started <- struct{}{}:
			default:
			}
			if errors.Is(err, store.ErrClosed) {
				return
			}
		}
		s.Error("Reserve never gave ErrClosed")
	})
}
