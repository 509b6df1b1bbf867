package conformance

import (
	"cmp"
	"context"
	"fmt"
)

// look reads what a variant changes.
func look(ctx context.Context, v variant) (state, error) {
	if v.state == nil {
		return state{versions: -1}, nil
	}
	return v.state(ctx)
}

// attempt is a first request with a key that succeeded, and what the catalog
// showed before and after.
type attempt struct {
	*act
	key           string
	answer        answer
	before, after state
	// who is what the answer was to; empty means the first request.
	who string
}

// first prepares the operation and sends it with a fresh key.
func (t *trial) first(ctx context.Context) (attempt, error) {
	a, err := t.prepare(ctx)
	if err != nil {
		return attempt{}, err
	}
	f := attempt{act: a, key: newKey()}
	if f.before, err = look(ctx, a.variant); err != nil {
		return f, err
	}
	if f.answer = t.settle(ctx, a.call, with(f.key)); !a.call.served(f.answer) {
		return f, t.blame(ctx, a.call, f.answer)
	}
	if f.after, err = look(ctx, a.variant); err != nil {
		return f, err
	}
	if a.state != nil && f.before.text == f.after.text {
		return f, fmt.Errorf("the first request with its key: %v, and no effect: %v", f.answer, f.after)
	}
	return f, nil
}

// hopeless reports whether a request that failed does so without a key as well, and
// has had no effect in the end. Then the key has no part in it.
func (t *trial) hopeless(ctx context.Context, a *act, before state) bool {
	if plain := t.settle(ctx, a.call, way{note: "without a key, to compare"}); a.call.served(plain) {
		return false
	}
	now, err := look(ctx, a.variant)
	return err == nil && now.text == before.text
}

// blame says why a first request with its key failed. If the same request without
// a key succeeds, it is the key's fault, which is for one case to tell.
func (t *trial) blame(ctx context.Context, c call, keyed answer) error {
	w := way{note: "without a key, to compare"}
	if plain := t.settle(ctx, c, w); c.served(plain) {
		return &keyBlamed{skipped{fmt.Sprintf("with a fresh key the request is answered %v, without one %v; see case replay", keyed, plain)}}
	}
	return fmt.Errorf("the first request with its key: %v, and without a key no better", keyed)
}

// unchanged is a finding when the catalog no longer shows what it did.
func unchanged(ctx context.Context, v variant, was state, what string, a answer) error {
	is, err := look(ctx, v)
	if err != nil {
		return err
	}
	if is.text != was.text {
		return failAt(Must, "%s was executed: %v. %s", what, a, shift(was, is))
	}
	return nil
}

// retry sends the request of an attempt again and compares.
func (t *trial) retry(ctx context.Context, f attempt, what string) error {
	second := t.settle(ctx, f.call, with(f.key))
	if err := unchanged(ctx, f.variant, f.after, what, second); err != nil {
		return err
	}
	if place := differ(f.answer, second); place != "" {
		return failf("%s is not answered like %s: %s", what, cmp.Or(f.who, "the first request"), place)
	}
	return nil
}
