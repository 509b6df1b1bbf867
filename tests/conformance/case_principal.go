package conformance

import (
	"context"
	"fmt"
	"net/http"
)

// otherPrincipal sends the very same request as somebody else. Servers may
// refuse it, or keep keys apart by principal and execute it; they must not hand
// out the first answer.
func otherPrincipal(ctx context.Context, t *trial) error {
	second := t.server.target.SecondToken
	if second == "" {
		return skipf("a second token was not given")
	}
	f, err := t.first(ctx)
	if err != nil {
		return err
	}
	undone := f.reverse != nil || f.withdraw != nil
	if undone {
		if err := f.undo(ctx); err != nil {
			return err
		}
	}
	before, err := look(ctx, f.variant)
	if err != nil {
		return err
	}
	got := t.settle(ctx, f.call, way{keys: []string{f.key}, as: second, note: "second principal"})
	after, err := look(ctx, f.variant)
	if err != nil {
		return err
	}
	changed := before.text != after.text
	switch served := f.call.served(got); {
	case served && !changed && !undone:
		return skipf("another principal's request is answered like the first one, which a new execution might be as well")
	case served && !changed:
		w := way{as: second, note: "second principal, without a key"}
		if plain := t.settle(ctx, f.call, w); f.withdraw != nil && f.call.served(plain) {
			return alike(plain)
		}
		return failf("another principal got the first one's answer: %v", got)
	case !served && changed:
		return failf("another principal's request was answered %v and took effect. %s", got, shift(before, after))
	case !served && !got.refused():
		return failf("another principal's request is not refused but answered %v", got)
	}
	if secret := f.revealed(got); secret != "" {
		return failf("another principal is refused with an answer that shows the first one's %s", secret)
	}
	if err := t.undisturbed(ctx, f, after); err != nil {
		return err
	}
	if changed {
		return remarkf("the server keeps keys apart by principal: it executed the request of the second one")
	}
	return t.entitled(ctx, f, got)
}

// undisturbed is a finding when the first principal's retry is no longer replayed
// after somebody else has come with its key.
func (t *trial) undisturbed(ctx context.Context, f attempt, now state) error {
	again := t.settle(ctx, f.call, with(f.key))
	what := "the first principal's retry, after another one had come with its key,"
	if err := unchanged(ctx, f.variant, now, what, again); err != nil {
		return err
	}
	if again.status != f.answer.status || !f.call.served(again) {
		return failf("%s is answered %v; the first answer was %v", what, again, f.answer)
	}
	return nil
}

// entitled passes the refusal of the second principal's request if the same request
// is executed without a key. Whoever may do nothing is refused in any case, which
// says nothing of what becomes of keys.
func (t *trial) entitled(ctx context.Context, f attempt, refusal answer) error {
	plain := t.settle(ctx, f.call, way{as: t.server.target.SecondToken, note: "second principal, without a key"})
	judged := plain.refused() && !passing(plain.status)
	switch {
	case plain.ok():
		return nil
	case judged && f.withdraw != nil && differ(refusal, plain) == "":
		return remarkf("the server keeps keys apart by principal: the second one is refused as without a key")
	case judged && f.withdraw != nil:
		return nil
	case judged && f.reverse == nil:
		return skipf("another principal is refused, and would be without a key as well: the request cannot be executed twice")
	}
	return fmt.Errorf("another principal is refused (%v), but without a key as well (%v): "+
		"the second token must have the rights of the first", refusal, plain)
}

// admitSecond is an error when the server does not know the second token, with
// which nothing can be found out about two principals. Some servers show their
// configuration to anybody, so that a listing is asked for too.
func (s *server) admitSecond(ctx context.Context, o Options) error {
	if s.target.SecondToken == "" {
		return nil
	}
	for _, c := range []call{configCall(s.target), {method: http.MethodGet, path: "/namespaces"}} {
		a := s.exchange(ctx, c, way{as: s.target.SecondToken}, o)
		if a.status == http.StatusUnauthorized {
			return fmt.Errorf("conformance: the second token is not let in: GET %s%s: %v", s.base, s.path(c), a)
		}
	}
	return nil
}
