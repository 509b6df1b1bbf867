package conformance

import "context"

// movedOn: the retry comes when somebody else has undone the effect, or has taken
// away what the request needs. With a fresh key it would be executed again.
func movedOn(ctx context.Context, t *trial) error {
	f, err := t.first(ctx)
	if err != nil {
		return err
	}
	if f.reverse == nil && f.withdraw == nil {
		return skipf("the effect cannot be undone, or not be seen")
	}
	if err := f.undo(ctx); err != nil {
		return err
	}
	undone, err := look(ctx, f.variant)
	if err != nil {
		return err
	}
	retry := t.settle(ctx, f.call, with(f.key))
	if err := unchanged(ctx, f.variant, undone, "the retry, after the effect had been undone,", retry); err != nil {
		return err
	}
	if retry.status != f.answer.status || !f.call.served(retry) {
		return failAt(Should, "after the effect had been undone the retry is answered %v; the first answer was %v", retry, f.answer)
	}
	return t.anew(ctx, f, undone)
}

// alike skips a case at a server that gives the same answer whatever the catalog is
// like.
func alike(a answer) error {
	return skipf("the server answers %v although what the request needs is gone: executed again it would be answered alike", a)
}

// anew sends the request of an attempt that has been undone with a fresh key, with
// which it is another request.
func (t *trial) anew(ctx context.Context, f attempt, undone state) error {
	w := with(newKey())
	w.note = "with a fresh key"
	got := t.settle(ctx, f.call, w)
	if f.reverse == nil {
		if f.call.served(got) {
			return alike(got)
		}
		return nil
	}
	now, err := look(ctx, f.variant)
	switch {
	case err != nil:
		return err
	case got.ok() && now.text == undone.text:
		return failf("the effect had been undone, and the same request with a fresh key is answered %v and not executed. The catalog shows %q", got, now.brief)
	case got.ok():
		return nil
	}
	if plain := t.settle(ctx, f.call, way{note: "without a key, to compare"}); plain.ok() {
		return failf("the effect had been undone, and the same request with a fresh key is answered %v, without one %v", got, plain)
	}
	return nil // it cannot be done twice
}

// undo has somebody else undo the effect, or take away what the request needs.
func (a *act) undo(ctx context.Context) error {
	if a.reverse != nil {
		return a.reverse(ctx)
	}
	return a.withdraw(ctx)
}
