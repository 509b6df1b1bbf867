package storetest

import (
	"context"

	"github.com/onceberg/onceberg/store"
)

var racing = []behaviour{
	{"of 16 twins one has an effect", func(s *subject) { s.twins(16) }},
	{"of 16 rejected twins one is recorded", rejectedTwins},
	{"different keys all have their effect", differentKeys},
}

// transactTogether runs all claims at once, through two handles where there are
// two, with mutations that write rows of the given name. It returns the index of
// the only one whose outcome stands.
func (s *subject) transactTogether(claims []store.Claim, name string, outcome store.Outcome, decision store.Decision) int {
	handles := s.handles()
	records := make([]*store.Record, len(claims))
	errs := make([]error, len(claims))
	together(len(claims), func(i int) {
		tx := handles[i%len(handles)].(store.Transactional)
		records[i], errs[i] = tx.Transact(s.ctx, claims[i],
			func(ctx context.Context) (store.Outcome, store.Decision, error) {
				return outcome, decision, s.Counter.Add(ctx, name)
			})
	})
	winner := -1
	for i := range claims {
		if errs[i] != nil {
			s.Fatalf("Transact: %v", errs[i])
		}
		if records[i] != nil {
			continue
		}
		if winner >= 0 {
			s.Fatal("the outcomes of two twins stand")
		}
		winner = i
	}
	if winner < 0 {
		s.Fatal("no twin's outcome stands")
	}
	for i, record := range records {
		if i != winner {
			s.sameFinal(claims[winner], outcome, record)
		}
	}
	return winner
}

func twinsOf(claim store.Claim, n int) []store.Claim {
	claims := make([]store.Claim, n)
	for i := range claims {
		claims[i] = again(claim)
	}
	return claims
}

// twins is case A11: copies of one keyed request race, one is applied, and all
// get its outcome.
func (s *subject) twins(n int) {
	claims := twinsOf(newClaim(), n)
	winner := s.transactTogether(claims, "twin", success(), store.Commit)
	s.rowsNamed("twin", 1)
	s.final(claims[winner], success())
}

func rejectedTwins(s *subject) {
	claims := twinsOf(newClaim(), 16)
	winner := s.transactTogether(claims, "twin", conflict(), store.Reject)
	s.rowsNamed("twin", 0)
	s.final(claims[winner], conflict())
}

// differentKeys is case D4: writers that do not share a key must not fail each
// other, also where the database takes one writer at a time.
func differentKeys(s *subject) {
	const writers, each = 16, 5
	claims := make([]store.Claim, writers*each)
	for i := range claims {
		claims[i] = newClaim()
	}
	together(writers, func(i int) {
		for _, claim := range claims[i*each : (i+1)*each] {
			record, err := s.transactional().Transact(s.ctx, claim, s.adding(claim, success(), store.Commit))
			if err != nil || record != nil {
				s.Errorf("Transact: record %v, error %v", record, err)
			}
		}
	})
	for _, claim := range claims {
		s.rows(claim, 1)
		s.final(claim, success())
	}
}
