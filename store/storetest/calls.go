package storetest

import (
	"context"

	"github.com/onceberg/onceberg/store"
)

// call is one method of store.Store with arguments that would succeed.
type call struct {
	name string
	run  func(ctx context.Context, s store.Store) error
}

// writes returns every method that changes the store, to be called while claim
// holds its key. Not all of them can succeed one after the other.
func writes(claim store.Claim) []call {
	return []call{
		{"Reserve", func(ctx context.Context, s store.Store) error {
			_, err := s.Reserve(ctx, newClaim())
			return err
		}},
		{"Renew", func(ctx context.Context, s store.Store) error {
			return s.Renew(ctx, claim.Key, claim.Token, long)
		}},
		{"Finalize", func(ctx context.Context, s store.Store) error {
			return s.Finalize(ctx, claim.Key, claim.Token, success(), long)
		}},
		{"Release", func(ctx context.Context, s store.Store) error {
			return s.Release(ctx, claim.Key, claim.Token)
		}},
		{"PurgeExpired", func(ctx context.Context, s store.Store) error {
			_, err := s.PurgeExpired(ctx, 10)
			return err
		}},
	}
}

// calls returns every method that takes a context.
func calls(claim store.Claim) []call {
	return append(writes(claim), call{"Load", func(ctx context.Context, s store.Store) error {
		_, err := s.Load(ctx, claim.Key)
		return err
	}})
}
