package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/onceberg/onceberg/store"
)

// maxRaces bounds how often a record may vanish between the statement that it
// stopped and the one that reads it: it has expired and been purged, or its
// holder released it.
const maxRaces = 10

var errRaces = errors.New("the record of this key comes and goes too fast")

// Reserve implements store.Store: one statement when the key is new, one more to
// read the record that holds it, and a third to take the key over from a record
// that does not.
func (s *Store) Reserve(ctx context.Context, claim store.Claim) (store.Reservation, error) {
	if s.closed.Load() {
		return store.Reservation{}, store.ErrClosed
	}
	var got store.Reservation
	look := isProbablyRetry(claim.Key, time.Now())
	err := s.retry(ctx, true, func() (err error) {
		got, err = s.reserve(ctx, claim, look)
		look = true // an attempt whose answer was lost may have put our own row there
		return err
	})
	if err != nil {
		return store.Reservation{}, s.wrap(ctx, "reserve", err)
	}
	return got, nil
}

func (s *Store) reserve(ctx context.Context, claim store.Claim, look bool) (store.Reservation, error) {
	for range maxRaces {
		var r *row
		if look {
			var err error
			if r, err = s.find(ctx, claim.Key); err != nil {
				return store.Reservation{}, err
			}
			if r != nil && r.holds(claim) {
				return reserved(r, claim)
			}
		}
		v, err := s.put(ctx, s.base, reservation(claim), r != nil)
		if err != nil {
			return store.Reservation{}, err
		}
		if v != held {
			return store.Reservation{Acquired: true, TakenOver: v == takenOver}, nil
		}
		look = true
	}
	return store.Reservation{}, errRaces
}

// reserved answers a claim with the row that holds its key: it may be the
// claim's own, put there by a try whose answer was lost.
func reserved(r *row, claim store.Claim) (store.Reservation, error) {
	if r.ownedBy(claim.Token) && r.Status == nil {
		return store.Reservation{Acquired: true, TakenOver: r.Attempt > 1}, nil
	}
	existing, err := r.record()
	if err != nil {
		return store.Reservation{}, err
	}
	return store.Reservation{Existing: existing}, nil
}

// find reads the row of a key, expired or not; nil when there is none.
func (s *Store) find(ctx context.Context, key string) (*row, error) {
	r := new(row)
	err := s.raw(findRow, change{Key: key}).Scan(readOnly(ctx), r)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return r, err
}

// Load implements store.Store by one statement.
func (s *Store) Load(ctx context.Context, key string) (*store.Record, error) {
	if s.closed.Load() {
		return nil, store.ErrClosed
	}
	var r *row
	err := s.retry(ctx, true, func() (err error) {
		r, err = s.find(ctx, key)
		return err
	})
	if err == nil && (r == nil || r.expired()) {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, s.wrap(ctx, "load", err)
	}
	rec, err := r.record()
	if err != nil {
		return nil, s.wrap(ctx, "load", err)
	}
	return rec, nil
}

// retryAge is the age from which a key is more likely a retry than new.
const retryAge = 2 * time.Second

// isProbablyRetry guesses from the timestamp within a version 7 key whether it
// was sent before. Looking for its record first then saves the insert. The guess
// is by the clocks of client and node, and decides about nothing but speed.
func isProbablyRetry(key string, now time.Time) bool {
	if len(key) != 36 || key[14] != '7' {
		return false
	}
	millis, err := strconv.ParseInt(key[:8]+key[9:13], 16, 64)
	return err == nil && now.Sub(time.UnixMilli(millis)) >= retryAge
}
