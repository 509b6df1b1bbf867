package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// unkeyed: two requests without a key are two requests.
func unkeyed(ctx context.Context, t *trial) error {
	a, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	first, err := t.plainly(ctx, a)
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
	second, err := t.plainly(ctx, a)
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

// plain is a request without a key.
type plain struct {
	answer answer
	after  state
	idle   bool // it has had no effect that it should have had
}

// plainly sends a request without a key.
func (t *trial) plainly(ctx context.Context, a *act) (p plain, err error) {
	before, err := look(ctx, a.variant)
	if err != nil {
		return p, err
	}
	p.answer = t.settle(ctx, a.call, way{})
	if p.after, err = look(ctx, a.variant); err != nil {
		return p, err
	}
	p.idle = a.state != nil && before.text == p.after.text
	return p, nil
}

// undo has somebody else undo the effect, or take away what the request needs.
func (a *act) undo(ctx context.Context) error {
	if a.reverse != nil {
		return a.reverse(ctx)
	}
	return a.withdraw(ctx)
}

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
