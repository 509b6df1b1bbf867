package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// replayed: the client has the first answer and asks again all the same.
func replayed(ctx context.Context, t *trial) error {
	f, err := t.first(ctx)
	var blamed *keyBlamed
	switch {
	case errors.As(err, &blamed) && f.answer.refused():
		return failf("a request with a fresh UUIDv7 is refused: %v. Without a key it succeeds", f.answer)
	case errors.As(err, &blamed):
		return failf("a request with a fresh UUIDv7 fails, however often it is sent: %v. Without a key it succeeds. %q",
			f.answer, "Do not finalize (not stored/replayed): 5xx")
	case err != nil:
		return err
	}
	if err := t.retry(ctx, f, "the retry"); err != nil {
		return err
	}
	for _, v := range f.also {
		if err := t.replayedToo(ctx, v, f.growth); err != nil {
			return err
		}
	}
	return nil
}

// replayedToo sends a further form of the request twice with one key.
func (t *trial) replayedToo(ctx context.Context, v variant, growth int) error {
	f := attempt{act: &act{variant: v, growth: growth}, key: newKey()}
	var err error
	if f.before, err = look(ctx, v); err != nil {
		return err
	}
	if f.answer = t.settle(ctx, v.call, with(f.key)); !f.answer.ok() {
		return fmt.Errorf("a further form of the request with its key: %v", f.answer)
	}
	if f.after, err = look(ctx, v); err != nil {
		return err
	}
	if err := t.retry(ctx, f, "the retry"); err != nil {
		return err
	}
	return f.once(f.before, f.after, "a request and its retry")
}

// lostAnswer: the server has answered and the connection is cut before the
// client hears of it.
func lostAnswer(ctx context.Context, t *trial) error {
	a, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	before, err := look(ctx, a.variant)
	if err != nil {
		return err
	}
	key := newKey()
	lost := t.send(ctx, a.call, way{keys: []string{key}, lose: true, note: "answer lost"})
	if lost.err == nil {
		return fmt.Errorf("the answer could not be lost: %v", lost)
	}
	after, err := look(ctx, a.variant)
	if err != nil {
		return err
	}
	retry := t.settle(ctx, a.call, with(key))
	if a.state != nil && after.text == before.text {
		// What was lost may have been a "come back later".
		if after, err = t.lateEffect(ctx, a, before, retry); err != nil {
			return err
		}
	} else if err := unchanged(ctx, a.variant, after, "the retry", retry); err != nil {
		return err
	}
	if !a.call.served(retry) {
		return failf("the request took effect and its answer was lost; the retry is answered %v. The catalog shows %q", retry, after.brief)
	}
	if a.fits != nil {
		if wrong := a.fits(retry); wrong != "" {
			return failf("the request took effect and its answer was lost; the retry's answer is that of a second execution: %s", wrong)
		}
	}
	location := retry.field("metadata-location")
	if location != "" && strings.Contains(after.text, "metadata ") && !strings.Contains(after.text, location) {
		return failf("the retry's answer names metadata %s, the catalog shows %q", location, after.text)
	}
	return t.retry(ctx, attempt{act: a, key: key, answer: retry, after: after, who: "the first retry"}, "the second retry")
}

// lateEffect is what the catalog shows when the first request had no effect and the
// retry has been answered.
func (t *trial) lateEffect(ctx context.Context, a *act, before state, retry answer) (state, error) {
	if !a.call.served(retry) {
		return before, t.blame(ctx, a.call, retry)
	}
	after, err := look(ctx, a.variant)
	if err == nil && after.text == before.text {
		err = failf("an answer was lost, the retry is answered %v, and there is no effect: %v", retry, after)
	}
	return after, err
}

// breath is what a client that hung up takes before it tries again, so that its
// second request does not overtake the first on the way.
const breath = 100 * time.Millisecond

// hangUp: the client leaves when it has sent the request. The server may have
// begun, or not.
func hangUp(ctx context.Context, t *trial) error {
	a, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	before, err := look(ctx, a.variant)
	if err != nil {
		return err
	}
	key := newKey()
	t.send(ctx, a.call, way{keys: []string{key}, hangUp: true, note: "client hangs up"})
	if err := sleep(ctx, breath); err != nil {
		return err
	}
	retry := t.settle(ctx, a.call, with(key))
	after, err := look(ctx, a.variant)
	if err != nil {
		return err
	}
	if retry.status >= 500 && before.text == after.text {
		return t.untold(ctx, a, key, retry)
	}
	if !a.call.served(retry) && t.hopeless(ctx, a, before) {
		return fmt.Errorf("the request fails without a key too: %v", retry)
	}
	if !a.call.served(retry) {
		return failf("the client hung up and sent the request again: %v. %s", retry, shift(before, after))
	}
	if a.state != nil && before.text == after.text {
		return failf("the client hung up and sent the request again: %v, and no effect: %v", retry, after)
	}
	if err := a.once(before, after, "the two requests"); err != nil {
		return err
	}
	return t.retry(ctx, attempt{act: a, key: key, answer: retry, after: after, who: "the first retry"}, "the second retry")
}

// untold is for a retry that is answered by a 5xx, after which clients ask again. If a
// request that is to be refused comes to nothing but that, nobody is harmed, and its
// client never learns what was wrong with it.
func (t *trial) untold(ctx context.Context, a *act, key string, retry answer) error {
	if a.call.refusal == nil {
		return t.blame(ctx, a.call, retry)
	}
	again := t.settle(ctx, a.call, with(key))
	if a.call.served(again) {
		return remarkf("after a client had hung up its retry was answered %v, the next one as it should be", retry)
	}
	return failAt(Quality, "a client that hung up is not told what became of its request: %v, then %v. Without a key it would be told: %v",
		retry, again, *a.call.refusal)
}

// once is a finding when the catalog shows more versions than one effect makes.
func (a *act) once(before, after state, who string) error {
	if before.versions < 0 || after.versions < 0 {
		return nil
	}
	if grown := after.versions - before.versions; grown > max(a.growth, 1) {
		return failAt(Must, "%s had more than one effect: %d versions were added. %s",
			who, grown, shift(before, after))
	}
	return nil
}
