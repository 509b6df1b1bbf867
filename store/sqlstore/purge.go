package sqlstore

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/onceberg/onceberg/store"
)

// purgeChunk is the most rows that one statement deletes: few enough that no
// request waits long for a lock, and that the statement ends well within every
// timeout.
const purgeChunk = 500

// PurgeExpired implements store.Store. It reads the keys of spent records by the
// index on expires_at, and deletes them by key if they still are spent then: all
// databases have that, none locks more rows than go, and two nodes that pick the
// same keys share the work.
func (s *Store) PurgeExpired(ctx context.Context, limit int) (int, error) {
	if s.closed.Load() {
		return 0, store.ErrClosed
	}
	total := 0
	for total < limit {
		chunk := min(limit-total, purgeChunk)
		found, deleted, err := s.purge(ctx, chunk)
		total += deleted
		if err != nil {
			return total, s.wrap(ctx, "purge", err)
		}
		if found < chunk {
			break
		}
	}
	return total, nil
}

// purge deletes up to limit spent records. It returns how many it found, some of
// which another node may have deleted first, and how many it deleted.
func (s *Store) purge(ctx context.Context, limit int) (found, deleted int, err error) {
	var keys []string
	err = s.retry(ctx, true, func() error {
		keys = nil
		return s.db.NewRaw(spentKeysSQL, limit).Conn(s.base).Scan(ctx, &keys)
	})
	if err != nil || len(keys) == 0 {
		return 0, 0, err
	}
	slices.Sort(keys) // everybody locks in the same order
	err = s.retry(ctx, true, func() error {
		result, err := s.db.NewRaw(purgeSQL, bun.List(keys)).Conn(s.base).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		deleted = int(n)
		return err
	})
	return len(keys), deleted, err
}
