package sqlstore

import (
	"context"

	"github.com/onceberg/onceberg/internal/sqlfault"
)

// retry runs a call that the database may ask for again. A call that is safe to
// repeat although its first run may have been carried out is also repeated when
// the connection is lost.
func (s *Store) retry(ctx context.Context, repeatable bool, call func() error) error {
	for try := 1; ; try++ {
		err := call()
		if err == nil || try == sqlfault.MaxTries || ctx.Err() != nil {
			return err
		}
		if !s.isTransient(err) && (!repeatable || !s.dialect.faults.IsLost(err)) {
			return err
		}
		if !sqlfault.Pause(ctx, try) {
			return err
		}
	}
}
