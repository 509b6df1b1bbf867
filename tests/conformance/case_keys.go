package conformance

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// malformedKeys sends what is no key, in all its kinds. The request itself is a
// good one, as the end shows.
func malformedKeys(ctx context.Context, t *trial) error {
	a, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	before, err := look(ctx, a.variant)
	if err != nil {
		return err
	}
	var taken, otherwise []string
	for _, m := range malformations {
		got := t.settle(ctx, a.call, way{keys: m.values(newKey()), note: m.name})
		if got.err == nil && got.status == http.StatusBadRequest {
			continue
		}
		after, err := look(ctx, a.variant)
		if err != nil {
			return err
		}
		if after.text == before.text && !a.call.served(got) {
			otherwise = append(otherwise, fmt.Sprintf("%s: %v", m.name, got))
			continue
		}
		taken = append(taken, fmt.Sprintf("%s: %d", m.name, got.status))
		if a.reverse == nil || after.text == before.text {
			continue // a record of something else may have been replayed
		}
		if err := a.reverse(ctx); err != nil {
			return failf("a malformed key is accepted (%s), and the others were not tried: %v", strings.Join(taken, "; "), err)
		}
		if before, err = look(ctx, a.variant); err != nil {
			return err
		}
	}
	after, err := look(ctx, a.variant)
	if err != nil {
		return err
	}
	if before.text != after.text {
		return failf("a malformed key was answered 400 and the request executed. %s", shift(before, after))
	}
	if len(taken) > 0 {
		return failf("%d of %d malformed keys are accepted (%s)", len(taken), len(malformations), strings.Join(taken, "; "))
	}
	if len(otherwise) > 0 {
		return failAt(Quality, "%d of %d malformed keys are refused, but not with 400 (%s)", len(otherwise), len(malformations), strings.Join(otherwise, "; "))
	}
	if good := t.settle(ctx, a.call, with(newKey())); !a.call.served(good) {
		return t.blame(ctx, a.call, good)
	}
	return nil
}

// letterCase sends a key in lower case and again in upper case.
func letterCase(ctx context.Context, t *trial) error {
	f, err := t.first(ctx)
	if err != nil {
		return err
	}
	if f.withdraw != nil {
		if err := f.withdraw(ctx); err != nil {
			return err
		}
	}
	second := t.settle(ctx, f.call, with(strings.ToUpper(f.key)))
	if err := unchanged(ctx, f.variant, f.after, "the retry with the key in upper case", second); err != nil {
		return err
	}
	if place := differ(f.answer, second); place != "" {
		return failf("the retry with the key in upper case is not answered like the first request: %s", place)
	}
	return nil
}
