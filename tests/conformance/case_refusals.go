package conformance

import (
	"context"
	"fmt"
	"net/http"
)

// refusalReplayed: a request is refused, its cause goes away, and it is sent
// again with its key.
func refusalReplayed(ctx context.Context, t *trial) error {
	a, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	if a.doomed == nil {
		return skipf("the kit knows no request that is refused for a reason that goes away")
	}
	d, err := a.doomed(ctx)
	if err != nil {
		return err
	}
	key := newKey()
	first := t.settle(ctx, d.call, with(key))
	if !first.refused() || passing(first.status) {
		plain := t.settle(ctx, d.call, way{note: "without a key, to compare"})
		if plain.refused() && first.ok() {
			return failf("a request is answered %v with a key, and %v without one", first, plain)
		}
		if plain.refused() {
			return skipf("with a fresh key the request is answered %v, without one %v; see case replay", first, plain)
		}
		if d.state == nil && plain.ok() {
			return skipf("the server refuses no such request: %v", plain)
		}
		return fmt.Errorf("a request that should be refused: %v", plain)
	}
	if err := d.mend(ctx); err != nil {
		return err
	}
	before, err := look(ctx, d.variant)
	if err != nil {
		return err
	}
	second := t.settle(ctx, d.call, with(key))
	if err := unchanged(ctx, d.variant, before, fmt.Sprintf("a request that had been refused (%v)", first), second); err != nil {
		return err
	}
	if place := differ(first, second); place != "" {
		return failf("a refusal is not replayed: %s", place)
	}
	if d.state != nil {
		return nil
	}
	if anew := t.settle(ctx, d.call, way{note: "without a key, to compare"}); differ(first, anew) == "" {
		return skipf("the server answers %v although the reason is gone: executed again the request would be answered alike", anew)
	}
	return nil
}

// passing are refusals that say nothing of the request itself.
func passing(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, 419, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return false
}

// loginNotReplayed: the first attempt comes with a token that is none, or
// somebody else's who may not; the next one from the rightful client, and one
// more with the wrong token. Each is to be judged by who sends it.
func loginNotReplayed(ctx context.Context, t *trial) error {
	a, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	tokens := []string{"no-token-of-this-server"}
	if second := t.server.target.SecondToken; second != "" {
		tokens = append(tokens, second)
	}
	judged := false
	for _, token := range tokens {
		key := newKey()
		refusal := t.settle(ctx, a.call, way{keys: []string{key}, as: token, note: "another token"})
		if a.call.served(refusal) {
			break // whoever asks may do it
		}
		if !refusal.refused() || !passing(refusal.status) {
			return fmt.Errorf("with a token that is none: %v", refusal)
		}
		got := t.settle(ctx, a.call, with(key))
		served := a.call.served(got)
		if !served && !got.refused() {
			return t.blame(ctx, a.call, got)
		}
		if !served {
			return failf("a request was refused (%v); from the rightful client, with the same key, it is answered %v", refusal, got)
		}
		again := t.settle(ctx, a.call, way{keys: []string{key}, as: token, note: "another token, again"})
		if a.call.served(again) {
			return failf("the answer to the rightful client is replayed to one who was refused (%v): %v", refusal, again)
		}
		judged = true
		if a.reverse == nil {
			break
		}
		if err := a.reverse(ctx); err != nil {
			return err
		}
	}
	if !judged {
		return skipf("the server asks nobody for a token")
	}
	return nil
}

// etagReplayed compares the ETags of an answer and its replay.
func etagReplayed(ctx context.Context, t *trial) error {
	f, err := t.first(ctx)
	if err != nil {
		return err
	}
	was := f.answer.header.Get("ETag")
	if was == "" {
		return skipf("the answer has no ETag")
	}
	second := t.settle(ctx, f.call, with(f.key))
	if is := second.header.Get("ETag"); is != was {
		return failf("the first answer has the ETag %s, its replay %q", was, is)
	}
	return nil
}
