package storetest

import (
	"sync/atomic"

	"github.com/onceberg/onceberg/store"
)

var purging = []behaviour{
	{"an empty store has nothing to purge", purgeEmpty},
	{"the limit is respected", purgeInBatches},
	{"a live final record stays", purgeLeavesFinal},
	{"a running reservation stays", purgeLeavesRunning},
	{"a lapsed reservation stays until its retention has passed", purgeLeavesLapsed},
	{"an abandoned reservation goes after lease and retention", purgeTakesAbandoned},
	{"a purged key is new", reservePurged},
	{"several callers share the work", purgeTogether},
	{"batches run beside keyed writes", purgeUnderWrites},
}

func purgeEmpty(s *subject) {
	s.purged(0, 10)
}

// purged expects PurgeExpired to delete exactly want records.
func (s *subject) purged(want, limit int) {
	s.Helper()
	if n := s.purge(limit); n != want {
		s.Fatalf("PurgeExpired(%d) deleted %d records, want %d", limit, n, want)
	}
}

// fillExpired leaves n final records whose retention has passed.
func (s *subject) fillExpired(n int) {
	s.Helper()
	const writers = 8
	var next atomic.Int64
	together(writers, func(int) {
		for next.Add(1) <= int64(n) {
			claim := newClaim()
			claim.Retain = short
			if err := firstExecution(s, s.Store, claim); err != nil {
				s.Errorf("filling the store: %v", err)
				return
			}
		}
	})
	if s.Failed() {
		s.FailNow()
	}
	s.pass(short)
}

func purgeInBatches(s *subject) {
	s.fillExpired(10)
	s.purged(3, 3)
	s.purged(3, 3)
	s.purged(3, 3)
	s.purged(1, 3)
	s.purged(0, 3)
}

func purgeLeavesFinal(s *subject) {
	claim := newClaim()
	s.acquire(claim)
	s.finalize(claim, success())
	s.fillExpired(3)
	s.purged(3, 10)
	s.final(claim, success())
}

func purgeLeavesRunning(s *subject) {
	claim := newClaim()
	claim.Retain = short
	s.acquire(claim)
	s.pass(short)
	s.purged(0, 10)
	s.reserved(claim)
}

func purgeLeavesLapsed(s *subject) {
	claim := s.lapsed()
	s.purged(0, 10)
	s.takeOver(again(claim))
}

func purgeTakesAbandoned(s *subject) {
	claim := newClaim()
	claim.Lease, claim.Retain = short, short
	s.acquire(claim)
	s.pass(short)
	s.purged(1, 10)
	s.powerless(claim)
}

func reservePurged(s *subject) {
	claim := s.expired()
	s.purged(1, 10)
	s.absent(claim.Key)
	s.acquire(again(claim))
	s.purged(0, 10)
}

// purgeTogether lets four callers purge at once, through two handles where there
// are two. Each record is deleted, and counted, once.
func purgeTogether(s *subject) {
	const records, limit = 200, 15
	s.fillExpired(records)
	handles := s.handles()
	var total atomic.Int64
	together(4, func(i int) {
		for {
			n, err := handles[i%len(handles)].PurgeExpired(s.ctx, limit)
			if err != nil {
				s.Errorf("PurgeExpired: %v", err)
				return
			}
			if n > limit {
				s.Errorf("PurgeExpired(%d) deleted %d records", limit, n)
			}
			total.Add(int64(n))
			if n == 0 {
				return
			}
		}
	})
	// A caller may leave records to the others, never lose one.
	for n := s.purge(limit); n > 0; n = s.purge(limit) {
		total.Add(int64(n))
	}
	if total.Load() != records {
		s.Fatalf("PurgeExpired deleted %d records in all, want %d", total.Load(), records)
	}
}

// purgeUnderWrites is case D11 at a fifth of its size: expired records go in
// twenty batches while requests execute keys; attempts past their lease and live
// records stay.
func purgeUnderWrites(s *subject) {
	const records, batch = 2000, 100
	inFlight, live := s.mixed(10)
	s.fillExpired(records)

	purged := make(chan struct{})
	total := 0
	together(4, func(i int) {
		if i == 0 {
			defer close(purged)
			total = s.purgeAll(batch)
			return
		}
		s.writeUntil(purged, 200)
	})
	if total != records {
		s.Fatalf("PurgeExpired deleted %d records in all, want %d", total, records)
	}
	for _, claim := range inFlight {
		s.reserved(claim)
	}
	for _, claim := range live {
		s.final(claim, success())
	}
}

// mixed leaves n attempts in flight, past their lease, and n live final records.
func (s *subject) mixed(n int) (inFlight, live []store.Claim) {
	s.Helper()
	for range n {
		running, done := newClaim(), newClaim()
		running.Lease = short
		s.acquire(running)
		s.acquire(done)
		s.finalize(done, success())
		inFlight, live = append(inFlight, running), append(live, done)
	}
	return inFlight, live
}

// purgeAll purges in batches until nothing is left and returns the sum. It can
// run on any goroutine.
func (s *subject) purgeAll(batch int) int {
	total := 0
	for {
		n, err := s.Store.PurgeExpired(s.ctx, batch)
		if err != nil {
			s.Errorf("PurgeExpired: %v", err)
			return total
		}
		if n > batch {
			s.Errorf("PurgeExpired(%d) deleted %d records", batch, n)
		}
		total += n
		if n == 0 {
			return total
		}
	}
}

// writeUntil executes keys until done is closed, but no more than n: a bounded
// store must have room for them.
func (s *subject) writeUntil(done <-chan struct{}, n int) {
	for range n {
		select {
		case <-done:
			return
		default:
		}
		claim := newClaim()
		if err := firstExecution(s, s.Store, claim); err != nil {
			s.Errorf("a write beside the purge: %v", err)
			return
		}
	}
}
