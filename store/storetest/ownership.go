package storetest

import "github.com/onceberg/onceberg/store"

var ownership = []behaviour{
	{"changing a payload after handing it over", changePayload},
	{"changing headers after handing them over", changeHeader},
	{"changing a record that was returned", changeRecord},
}

func changePayload(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	outcome := success()
	s.finalize(claim, outcome)
	clear(outcome.Payload)
	s.final(claim, success())
}

func changeHeader(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	outcome := success()
	s.finalize(claim, outcome)
	outcome.Header["ETag"][0] = `"6"`
	outcome.Header["Location"] = []string{"/elsewhere"}
	delete(outcome.Header, "Content-Type")
	s.final(claim, success())
}

// changeRecord changes what Load and Reserve return. Header and payload are left
// alone: nobody may change those.
func changeRecord(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	for _, record := range []*store.Record{s.load(claim.Key), s.duplicate(again(claim))} {
		record.Outcome = &store.Outcome{Status: 500}
		record.Token, record.Audit = "", "changed"
		s.reserved(claim)
	}
	s.finalize(claim, success())
	for _, record := range []*store.Record{s.load(claim.Key), s.duplicate(again(claim))} {
		record.Outcome.Status, record.Outcome.Kind = 500, store.KindOmitted
		record.Outcome.Header, record.Outcome.Payload = nil, nil
		record.Audit = "changed"
		s.final(claim, success())
	}
}
