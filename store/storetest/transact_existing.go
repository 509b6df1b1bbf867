package storetest

import "github.com/onceberg/onceberg/store"

var yielding = []behaviour{
	{"a final record wins over a commit", func(s *subject) { s.yieldsToFinal(store.Commit) }},
	{"a final record wins over a reject", func(s *subject) { s.yieldsToFinal(store.Reject) }},
	{"a rejection wins over a commit", yieldsToRejection},
	{"a running reservation wins over a commit", func(s *subject) { s.yieldsToReserved(store.Commit) }},
	{"a running reservation wins over a reject", func(s *subject) { s.yieldsToReserved(store.Reject) }},
	{"another binding's record wins as well", yieldsToOtherBinding},
	{"an expired record does not win", replacesExpired},
	{"a lapsed reservation gives way to a commit", commitsOverLapsed},
	{"a lapsed reservation wins over a reject", rejectsOverLapsed},
	{"an abort leaves a lapsed reservation alone", abortsOverLapsed},
	{"another binding's lapsed reservation wins as well", yieldsToOthersLapsed},
}

// yieldsToFinal sends a retry whose key has an outcome already: its own writes
// go, whatever it decided, and the first outcome comes back.
func (s *subject) yieldsToFinal(decision store.Decision) {
	first := newClaim()
	s.stands(first, s.adding(first, success(), store.Commit))
	retry := again(first)
	record := s.transact(retry, s.adding(retry, conflict(), decision))
	s.wonBy(first, success(), record)
	s.rows(first, 1)
	s.rows(retry, 0)
}

// wonBy expects a transaction to have yielded to the claim's outcome.
func (s *subject) wonBy(claim store.Claim, outcome store.Outcome, record *store.Record) {
	s.Helper()
	if record == nil {
		s.Fatal("Transact: its own outcome stands although the key was taken")
	}
	s.sameFinal(claim, outcome, record)
	s.final(claim, outcome)
}

func yieldsToRejection(s *subject) {
	first := newClaim()
	s.stands(first, s.adding(first, conflict(), store.Reject))
	retry := again(first)
	record := s.transact(retry, s.adding(retry, success(), store.Commit))
	s.wonBy(first, conflict(), record)
	s.rows(retry, 0)
}

func (s *subject) yieldsToReserved(decision store.Decision) {
	holder := newClaim()
	s.acquire(holder)
	late := again(holder)
	record := s.transact(late, s.adding(late, conflict(), decision))
	if record == nil {
		s.Fatal("Transact: its own outcome stands although the key was reserved")
	}
	s.sameReservation(holder, record)
	s.rows(late, 0)
	s.finalize(holder, success())
	s.final(holder, success())
}

// yieldsToOtherBinding is case A9 in transactional form: the comparison is the
// caller's.
func yieldsToOtherBinding(s *subject) {
	first, other := newClaim(), newClaim()
	other.Key = first.Key
	s.stands(first, s.adding(first, success(), store.Commit))
	record := s.transact(other, s.adding(other, success(), store.Commit))
	s.wonBy(first, success(), record)
	s.rows(other, 0)
}

func replacesExpired(s *subject) {
	for _, decision := range []store.Decision{store.Commit, store.Reject} {
		old := s.expired()
		next := newClaim()
		next.Key = old.Key
		s.stands(next, s.adding(next, conflict(), decision))
		s.final(next, conflict())
	}
}

// commitsOverLapsed is the retry of an attempt that a two-phase node lost. Its
// success settles what became of the key.
func commitsOverLapsed(s *subject) {
	lost := s.lapsed()
	retry := again(lost)
	s.stands(retry, s.adding(retry, success(), store.Commit))
	s.rows(retry, 1)
	s.final(retry, success())
	s.wantErr("Finalize", s.Store.Finalize(s.ctx, lost.Key, lost.Token, conflict(), long), store.ErrLeaseLost)
	s.final(retry, success())
}

// rejectsOverLapsed is case A1 across two forms: the lost attempt may have been
// applied, and the rejection be its trace, however often it is repeated.
func rejectsOverLapsed(s *subject) {
	lost := s.lapsed()
	for range 2 {
		retry := again(lost)
		record := s.transact(retry, s.adding(retry, conflict(), store.Reject))
		if record == nil {
			s.Fatal("Transact: a rejection stands over a lapsed reservation")
		}
		s.sameReservation(lost, record)
		if !record.Lapsed {
			s.Error("Transact: the record that it returned does not say that its lease has lapsed")
		}
		s.rows(retry, 0)
		s.reserved(lost)
	}
	s.takeOver(again(lost))
}

func abortsOverLapsed(s *subject) {
	lost := s.lapsed()
	retry := again(lost)
	s.stands(retry, s.adding(retry, conflict(), store.Abort))
	s.rows(retry, 0)
	s.reserved(lost)
	s.takeOver(again(lost))
}

func yieldsToOthersLapsed(s *subject) {
	lost := s.lapsed()
	for _, decision := range []store.Decision{store.Commit, store.Reject} {
		other := newClaim()
		other.Key = lost.Key
		record := s.transact(other, s.adding(other, conflict(), decision))
		if record == nil {
			s.Fatal("Transact: its own outcome stands although the key is another request's")
		}
		s.sameReservation(lost, record)
		s.rows(other, 0)
	}
	s.takeOver(again(lost))
}
