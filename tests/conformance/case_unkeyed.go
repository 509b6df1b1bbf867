package conformance

import (
	"context"
	"fmt"
)

// unkeyed: two requests without a key are two requests.
func unkeyed(ctx context.Context, t *trial) error {
	a, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	first, err := t.bare(ctx, a)
	switch {
	case err != nil:
		return err
	case !a.call.served(first.answer):
		return fmt.Errorf("without a key: %v", first.answer)
	case first.idle:
		return fmt.Errorf("without a key: %v, and no effect: %v", first.answer, first.after)
	case a.reverse == nil && a.withdraw == nil:
		return skipf("the effect cannot be undone, or not be seen")
	}
	if err := a.undo(ctx); err != nil {
		return err
	}
	second, err := t.bare(ctx, a)
	switch got := second.answer; {
	case err != nil:
		return err
	case a.reverse == nil && a.call.served(got):
		if fresh := t.settle(ctx, a.call, with(newKey())); a.call.served(fresh) {
			return alike(fresh)
		}
		return failf("the second request without a key was not executed: %v, although what it needs is gone", got)
	case got.refused():
		return remarkf("the second request without a key was executed anew, and refused: %v", got)
	case !got.ok() || second.idle:
		return failf("the second request without a key was not executed: %v. The catalog shows %q", got, second.after.brief)
	}
	return nil
}

// bare is what became of a request without a key.
type bare struct {
	answer answer
	after  state
	idle   bool // it has had no effect that it should have had
}

// bare sends a request without a key.
func (t *trial) bare(ctx context.Context, a *act) (b bare, err error) {
	before, err := look(ctx, a.variant)
	if err != nil {
		return b, err
	}
	b.answer = t.settle(ctx, a.call, way{})
	if b.after, err = look(ctx, a.variant); err != nil {
		return b, err
	}
	b.idle = a.state != nil && before.text == b.after.text
	return b, nil
}
