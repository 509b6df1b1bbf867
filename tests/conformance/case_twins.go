package conformance

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// twins: one request is sent many times at once. One is executed; the others get
// an answer like its, or are told to come back and get it then. So it is with further
// forms of the request.
func twins(ctx context.Context, t *trial) error {
	a, err := t.prepare(ctx)
	if err != nil {
		return err
	}
	if err := t.twinsOf(ctx, a); err != nil {
		return err
	}
	for _, v := range a.also {
		if err := t.twinsOf(ctx, &act{variant: v, growth: a.growth}); err != nil {
			return err
		}
	}
	return t.hasty()
}

func (t *trial) twinsOf(ctx context.Context, a *act) error {
	before, err := look(ctx, a.variant)
	if err != nil {
		return err
	}
	key := newKey()
	answers := t.together(ctx, a.call, key)
	after, err := look(ctx, a.variant)
	if err != nil {
		return err
	}
	unserved := func(x answer) bool { return !a.call.served(x) }
	settled := slices.ContainsFunc(answers, func(x answer) bool { return x.ok() || x.refused() })
	if !settled && before.text == after.text {
		return t.blame(ctx, a.call, answers[0])
	}
	if !slices.ContainsFunc(answers, a.call.served) && t.hopeless(ctx, a, before) {
		return fmt.Errorf("the request fails without a key too: %s", tally(answers))
	}
	if slices.ContainsFunc(answers, unserved) {
		return failf("%d twins were answered %s. %s", len(answers), tally(answers), shift(before, after))
	}
	if a.state != nil && before.text == after.text {
		return failf("%d twins were answered %s, and there is no effect: %v", len(answers), tally(answers), after)
	}
	if err := a.once(before, after, fmt.Sprintf("%d twins", len(answers))); err != nil {
		return err
	}
	for _, other := range answers[1:] {
		if place := differ(answers[0], other); place != "" {
			return failf("%d twins got answers that are not equivalent: %s", len(answers), place)
		}
	}
	return t.retry(ctx, attempt{act: a, key: key, answer: answers[0], after: after}, "a retry after the twins")
}

// hasty is a finding when a twin of a commit was told by a 409 to come back.
func (t *trial) hasty() error {
	if !t.op.StateUnknown {
		return nil
	}
	for _, e := range t.shown() {
		if e.Status == http.StatusConflict && e.RetryAfter != "" {
			return failAt(Quality, "a twin was told to come back by a 409 (%s). The Java client takes a 409 on a commit for a clean failure, "+
				"whatever Retry-After says, and deletes the files of a commit that may yet succeed; a 503 it sends again", e.Body)
		}
	}
	return nil
}

// together sends twins at one time and waits for all their final answers.
func (t *trial) together(ctx context.Context, c call, key string) []answer {
	answers := make([]answer, t.options.Twins)
	start := make(chan struct{})
	var running sync.WaitGroup
	for i := range answers {
		running.Go(func() {
			<-start
			w := with(key)
			w.note = fmt.Sprintf("twin %d", i+1)
			answers[i] = t.settle(ctx, c, w)
		})
	}
	close(start)
	running.Wait()
	return answers
}

// tally counts answers that are alike.
func tally(answers []answer) string {
	counts := map[string]int{}
	for _, a := range answers {
		counts[a.String()]++
	}
	var texts []string
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		texts = append(texts, fmt.Sprintf("%d times %s", counts[text], text))
	}
	return strings.Join(texts, "; ")
}
