package chaos

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"
)

// settleAll waits until no lease runs any more, has every client that does not know
// the end of a mutation ask once more, and looks at what is left. It returns the
// reservations that are stuck, and counts those that are open although their
// clients were answered: in two phases a node may die between the two.
func (r *run) settleAll() (found []violation, unrecorded int) {
	r.t.Helper()
	if r.records != nil {
		found = r.awaitLeases()
	}
	var all sync.WaitGroup
	open := make(chan *mutation)
	for id := range workers {
		w, err := r.newWorker(id, 5) // nothing gets lost any more
		if err != nil {
			r.t.Fatal(err)
		}
		all.Go(func() {
			for m := range open {
				ctx, cancel := context.WithTimeout(r.t.Context(), patience)
				w.settle(ctx, m)
				cancel()
			}
		})
	}
	byKey := map[string]*mutation{}
	for _, m := range r.all() {
		byKey[m.Key] = m
		if m.Outcome == unknown || m.Answer.Status == 0 {
			open <- m
		}
	}
	close(open)
	all.Wait()
	if r.records == nil {
		return found, 0
	}
	left, unrecorded := leftOver(r.form, r.unfinished(false), byKey)
	return append(found, left...), unrecorded
}

// leftOver judges the reservations that are there in the end. In two phases there
// are those of which nobody can tell, and those whose node died, or could not reach
// the records, after it had the answer. Otherwise there are none.
func leftOver(f form, keys []string, byKey map[string]*mutation) (found []violation, unrecorded int) {
	for _, key := range keys {
		m := byKey[key]
		switch {
		case m != nil && f == twoPhase && m.Outcome == unknown:
		case m != nil && f == twoPhase && m.Answer.Status != 0:
			unrecorded++
		default:
			found = append(found, violation{stuck, "key " + key + " is reserved in the end; " + stringOf(m)})
		}
	}
	return found, unrecorded
}

func stringOf(m *mutation) string {
	if m == nil {
		return "of no mutation"
	}
	return m.String() + " was told " + m.Answer.String()
}

// awaitLeases waits for the ends of all leases. A reservation that nobody works on
// and that outlives its lease is stuck.
func (r *run) awaitLeases() (found []violation) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), lease+patience)
	defer cancel()
	for ctx.Err() == nil && len(r.unfinished(true)) > 0 {
		pause(ctx, 100*time.Millisecond)
	}
	for _, key := range r.unfinished(true) {
		found = append(found, violation{stuck, "key " + key + ": its lease runs on and on"})
	}
	return found
}

// unfinished returns the keys of the records without an outcome: with a lease that
// runs, or all of them.
func (r *run) unfinished(running bool) []string {
	r.t.Helper()
	var keys []string
	q := r.records.NewSelect().Table("iceberg_idempotency_key_meta").Column("idempotency_key").Where("http_status IS NULL")
	if running {
		q = q.Where("lease_expires_at > ?", bun.Safe("(extract(epoch from clock_timestamp()) * 1000)::bigint"))
	}
	if err := q.Scan(r.t.Context(), &keys); err != nil {
		r.t.Fatal(err)
	}
	slices.Sort(keys)
	return keys
}
