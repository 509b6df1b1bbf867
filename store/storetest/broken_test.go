package storetest_test

import (
	"context"
	"errors"
	"time"

	"github.com/onceberg/onceberg/store"
)

// broken maps a name to a store that breaks one promise and the behaviour of the
// suite that must notice.
var broken = map[string]struct {
	spoil   func(*reference) store.Store
	noticed string
}{
	"lets everybody acquire": {
		func(r *reference) store.Store { return &greedy{r} },
		"Reserve/of_16_callers_one_acquires_the_key",
	},
	"forgets that an attempt came before": {
		func(r *reference) store.Store { return &forgetful{r} },
		"Lease/a_lapsed_lease_is_taken_over_in_one_step",
	},
	"finalizes for zombies": {
		func(r *reference) store.Store { return &unfenced{r} },
		"Zombie/a_zombie_loses_while_the_new_owner_runs",
	},
	"purges more than it may": {
		func(r *reference) store.Store { return &thorough{r} },
		"Purge/the_limit_is_respected",
	},
	"ignores the context": {
		func(r *reference) store.Store { return &tireless{r} },
		"Context/a_cancelled_context_changes_nothing",
	},
	"spells headers its own way": {
		func(r *reference) store.Store { return &canonical{r} },
		"Content/headers_keep_their_values_and_spelling",
	},
	"takes absence for a lost lease": {
		func(r *reference) store.Store { return &vague{r} },
		"Expiry/an_expired_final_record_is_absent",
	},
	"commits before it looks": {
		func(r *reference) store.Store { return &hasty{r} },
		"Existing/a_final_record_wins_over_a_commit",
	},
	"keeps the writes of a rejection": {
		func(r *reference) store.Store { return &lenient{r} },
		"Decision/reject_keeps_the_outcome_alone",
	},
	"believes a rejection after a lost attempt": {
		func(r *reference) store.Store { return &credulous{r} },
		"Existing/a_lapsed_reservation_wins_over_a_reject",
	},
	"does not know whom it gave the key to": {
		func(r *reference) store.Store { return &absentminded{r} },
		"Reserve/who_holds_a_key_and_asks_again_is_told_so_again",
	},
	"wraps the mutation's error": {
		func(r *reference) store.Store { return &wrapping{r} },
		"Failure/the_mutation's_error_comes_back_as_it_is",
	},
}

type greedy struct{ *reference }

func (s *greedy) Reserve(ctx context.Context, claim store.Claim) (store.Reservation, error) {
	_, err := s.reference.Reserve(ctx, claim)
	return store.Reservation{Acquired: err == nil}, err
}

type forgetful struct{ *reference }

func (s *forgetful) Reserve(ctx context.Context, claim store.Claim) (store.Reservation, error) {
	got, err := s.reference.Reserve(ctx, claim)
	got.TakenOver = false
	return got, err
}

type absentminded struct{ *reference }

func (s *absentminded) Reserve(ctx context.Context, claim store.Claim) (store.Reservation, error) {
	if record, err := s.Load(ctx, claim.Key); err == nil && record.Token == claim.Token {
		return store.Reservation{Existing: record}, nil
	}
	return s.reference.Reserve(ctx, claim)
}

type unfenced struct{ *reference }

func (s *unfenced) Finalize(
	ctx context.Context, key string, token store.Token, outcome store.Outcome, retain time.Duration,
) error {
	if record, err := s.Load(ctx, key); err == nil {
		token = record.Token
	}
	return s.reference.Finalize(ctx, key, token, outcome, retain)
}

type thorough struct{ *reference }

func (s *thorough) PurgeExpired(ctx context.Context, limit int) (int, error) {
	return s.reference.PurgeExpired(ctx, 10*limit)
}

type tireless struct{ *reference }

func (s *tireless) Reserve(ctx context.Context, claim store.Claim) (store.Reservation, error) {
	return s.reference.Reserve(context.WithoutCancel(ctx), claim)
}

type canonical struct{ *reference }

func (s *canonical) Finalize(
	ctx context.Context, key string, token store.Token, outcome store.Outcome, retain time.Duration,
) error {
	header := outcome.Header.Clone()
	for name, values := range outcome.Header {
		header.Del(name)
		delete(header, name)
		for _, value := range values {
			header.Add(name, value)
		}
	}
	outcome.Header = header
	return s.reference.Finalize(ctx, key, token, outcome, retain)
}

type vague struct{ *reference }

func (s *vague) Load(ctx context.Context, key string) (*store.Record, error) {
	record, err := s.reference.Load(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		err = store.ErrLeaseLost
	}
	return record, err
}

type hasty struct{ *reference }

func (s *hasty) Transact(ctx context.Context, claim store.Claim, mutation store.Mutation) (*store.Record, error) {
	outcome, decision, err := mutation(ctx)
	if err != nil {
		return nil, err
	}
	return s.reference.Transact(ctx, claim, func(context.Context) (store.Outcome, store.Decision, error) {
		return outcome, decision, nil
	})
}

type lenient struct{ *reference }

func (s *lenient) Transact(ctx context.Context, claim store.Claim, mutation store.Mutation) (*store.Record, error) {
	return s.reference.Transact(ctx, claim, func(ctx context.Context) (store.Outcome, store.Decision, error) {
		outcome, decision, err := mutation(ctx)
		if decision == store.Reject {
			decision = store.Commit
		}
		return outcome, decision, err
	})
}

type credulous struct{ *reference }

func (s *credulous) Transact(ctx context.Context, claim store.Claim, mutation store.Mutation) (*store.Record, error) {
	record, err := s.reference.Transact(ctx, claim, mutation)
	if err != nil || record == nil || !record.Lapsed || !record.Binding.Same(claim.Binding) {
		return record, err
	}
	if _, err := s.Reserve(ctx, claim); err != nil {
		return nil, err
	}
	outcome, _, err := mutation(context.WithValue(ctx, txRows{}, map[string]int{}))
	if err != nil {
		return nil, err
	}
	return nil, s.Finalize(ctx, claim.Key, claim.Token, outcome, claim.Retain)
}

type wrapping struct{ *reference }

func (s *wrapping) Transact(ctx context.Context, claim store.Claim, mutation store.Mutation) (*store.Record, error) {
	record, err := s.reference.Transact(ctx, claim, mutation)
	if err != nil {
		err = errors.Join(errors.New("wrapped"), err)
	}
	return record, err
}
