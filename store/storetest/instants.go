package storetest

import (
	"time"

	"github.com/onceberg/onceberg/store"
)

var instants = []behaviour{
	{"of a reservation", instantsOfReservation},
	{"of a renewed reservation", instantsOfRenewed},
	{"of a takeover", instantsOfTakeover},
	{"of a final record", instantsOfFinal},
}

// slack is how far an instant may be from where the suite expects it.
func (s *subject) slack() time.Duration {
	if s.Now != nil {
		return s.ClockPrecision
	}
	return 5*time.Second + s.ClockPrecision
}

func (s *subject) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// about expects an instant between two others, give or take the slack.
func (s *subject) about(name string, got, from, to time.Time) {
	s.Helper()
	if got.Before(from.Add(-s.slack())) || got.After(to.Add(s.slack())) {
		s.Errorf("%s is %v, want from %v to %v", name, got, from, to)
	}
}

func (s *subject) zero(name string, got time.Time) {
	s.Helper()
	if !got.IsZero() {
		s.Errorf("%s is %v, want the zero time", name, got)
	}
}

// during runs a step and returns the instants before and after it.
func (s *subject) during(step func()) (from, to time.Time) {
	s.Helper()
	from = s.now()
	step()
	return from, s.now()
}

func instantsOfReservation(s *subject) {
	claim := newClaim()
	claim.Retain = 3 * long
	from, to := s.during(func() { s.acquire(claim) })
	for _, record := range []*store.Record{s.load(claim.Key), s.duplicate(again(claim))} {
		s.about("CreatedAt", record.CreatedAt, from, to)
		s.about("LeaseExpiresAt", record.LeaseExpiresAt, from.Add(long), to.Add(long))
		s.about("ExpiresAt", record.ExpiresAt, from.Add(3*long), to.Add(3*long))
		s.zero("FinalizedAt", record.FinalizedAt)
	}
}

func instantsOfRenewed(s *subject) {
	claim := newClaim()
	from, to := s.during(func() { s.acquire(claim) })
	s.pass(short)
	renewedFrom, renewedTo := s.during(func() { s.renew(claim, 2*long) })
	record := s.load(claim.Key)
	s.about("CreatedAt", record.CreatedAt, from, to)
	s.about("LeaseExpiresAt", record.LeaseExpiresAt, renewedFrom.Add(2*long), renewedTo.Add(2*long))
	if record.ExpiresAt.Before(record.LeaseExpiresAt) {
		s.Errorf("ExpiresAt %v is before LeaseExpiresAt %v", record.ExpiresAt, record.LeaseExpiresAt)
	}
}

// instantsOfTakeover expects the record to remember when the key was first
// reserved.
func instantsOfTakeover(s *subject) {
	lost := newClaim()
	lost.Lease = short
	s.acquire(lost)
	created := s.load(lost.Key).CreatedAt
	s.pass(short)
	taker := again(lost)
	taker.Lease = long
	from, to := s.during(func() { s.takeOver(taker) })
	record := s.load(taker.Key)
	if !record.CreatedAt.Equal(created) {
		s.Errorf("CreatedAt is %v, was %v before the takeover", record.CreatedAt, created)
	}
	s.about("LeaseExpiresAt", record.LeaseExpiresAt, from.Add(long), to.Add(long))
	s.about("ExpiresAt", record.ExpiresAt, from.Add(long), to.Add(long))
}

func instantsOfFinal(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	created := s.load(claim.Key).CreatedAt
	s.pass(short)
	claim.Retain = 2 * long
	from, to := s.during(func() { s.finalize(claim, success()) })
	for _, record := range []*store.Record{s.load(claim.Key), s.duplicate(again(claim))} {
		if !record.CreatedAt.Equal(created) {
			s.Errorf("CreatedAt is %v, was %v before Finalize", record.CreatedAt, created)
		}
		if record.FinalizedAt.Before(created) {
			s.Errorf("FinalizedAt %v is before CreatedAt %v", record.FinalizedAt, created)
		}
		s.about("FinalizedAt", record.FinalizedAt, from, to)
		s.about("ExpiresAt", record.ExpiresAt, from.Add(2*long), to.Add(2*long))
		s.zero("LeaseExpiresAt", record.LeaseExpiresAt)
	}
}
