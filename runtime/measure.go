package runtime

import (
	"context"
	"time"

	"github.com/onceberg/onceberg/store"
)

// measured returns a store that reports its calls to the observer; the store
// itself when there is nobody to tell. What it returns is transactional exactly
// when s is.
func measured(s store.Store, observer Observer) store.Store {
	if s == nil || observer == nil {
		return s
	}
	m := measuredStore{s, observer}
	if tx, ok := s.(store.Transactional); ok {
		return measuredTransactional{m, tx}
	}
	return m
}

type measuredStore struct {
	store.Store
	observer Observer
}

func (m measuredStore) told(ctx context.Context, call StoreCall, began time.Time, err *error) {
	m.observer.ObserveStore(ctx, call, time.Since(began), *err)
}

func (m measuredStore) Reserve(ctx context.Context, claim store.Claim) (r store.Reservation, err error) {
	defer m.told(ctx, CallReserve, time.Now(), &err)
	return m.Store.Reserve(ctx, claim)
}

func (m measuredStore) Load(ctx context.Context, key string) (r *store.Record, err error) {
	defer m.told(ctx, CallLoad, time.Now(), &err)
	return m.Store.Load(ctx, key)
}

func (m measuredStore) Finalize(
	ctx context.Context, key string, token store.Token, outcome store.Outcome, retain time.Duration,
) (err error) {
	defer m.told(ctx, CallFinalize, time.Now(), &err)
	return m.Store.Finalize(ctx, key, token, outcome, retain)
}

func (m measuredStore) Release(ctx context.Context, key string, token store.Token) (err error) {
	defer m.told(ctx, CallRelease, time.Now(), &err)
	return m.Store.Release(ctx, key, token)
}

func (m measuredStore) Renew(ctx context.Context, key string, token store.Token, lease time.Duration) (err error) {
	defer m.told(ctx, CallRenew, time.Now(), &err)
	return m.Store.Renew(ctx, key, token, lease)
}

type measuredTransactional struct {
	measuredStore
	transactional store.Transactional
}

func (m measuredTransactional) Transact(
	ctx context.Context, claim store.Claim, mutation store.Mutation,
) (r *store.Record, err error) {
	defer m.told(ctx, CallTransact, time.Now(), &err)
	return m.transactional.Transact(ctx, claim, mutation)
}
