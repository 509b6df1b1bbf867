package conformance

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/sosodev/duration"
)

// lifetime: GET /v1/config names the lifetime, at the place and in the form that
// the document gives it.
func lifetime(_ context.Context, t *trial) error {
	c := t.server.config
	switch text := c.Lifetime.(type) {
	case nil:
		if misplaced := c.setting(lifetimeField); misplaced != "" {
			return failf("%s is %q among the properties, where clients do not look: it belongs at the top level", lifetimeField, misplaced)
		}
		if t.options.All {
			return failf("%s is not there: clients send no keys", lifetimeField)
		}
		return skipf("%s is not there: the server promises nothing, and clients send no keys", lifetimeField)
	case string:
		parsed, err := duration.Parse(text)
		if err != nil {
			return failf("%s is %q, which is no ISO-8601 duration", lifetimeField, text)
		}
		if parsed.ToTimeDuration() <= 0 {
			return failf("%s is %q: nothing can be sent again within that", lifetimeField, text)
		}
		return nil
	default:
		return failf("%s is no text: %s", lifetimeField, encode(text))
	}
}

// javaDuration is what java.time.Duration.parse takes: days, hours, minutes and
// seconds, no weeks, months or years.
var javaDuration = regexp.MustCompile(`^(?i)P(\d+D)?(T(\d+H)?(\d+M)?(\d+([.,]\d{0,9})?S)?)?$`)

// lifetimeForJava: the Java client fails at its start over a lifetime that it
// cannot read.
func lifetimeForJava(_ context.Context, t *trial) error {
	text := t.server.config.lifetime()
	if text == "" {
		return skipf("no %s is advertised", lifetimeField)
	}
	if last := text[len(text)-1]; !javaDuration.MatchString(text) || last == 'T' || last == 'P' {
		return failf("%s is %q, which java.time.Duration does not take: Java clients fail at their start", lifetimeField, text)
	}
	return nil
}

// lasting is the lifetime that is advertised; zero when none is that can be read.
func (s *server) lasting() time.Duration {
	parsed, err := duration.Parse(s.config.lifetime())
	if err != nil {
		return 0
	}
	return parsed.ToTimeDuration()
}

// lateRetries is how often a retry may come after the end of the lifetime for which it
// was meant, because something was slow.
const lateRetries = 3

// lifetimeEnd sits out most of the lifetime and retries, then all of it.
func lifetimeEnd(ctx context.Context, t *trial) error {
	lasting := t.server.lasting()
	if lasting <= 0 {
		return skipf("no %s is advertised that could be sat out", lifetimeField)
	}
	if lasting > t.options.LifetimeWait {
		return skipf("the lifetime is %v; the kit was told to sit out no more than %v", lasting, t.options.LifetimeWait)
	}
	f, err := t.lastRetry(ctx, lasting)
	for n := 1; errors.Is(err, errLate) && n < lateRetries; n++ {
		f, err = t.lastRetry(ctx, lasting)
	}
	if err != nil {
		return err
	}
	if err := sleep(ctx, lasting/5); err != nil {
		return err
	}
	late := t.settle(ctx, f.call, with(f.key))
	if late.err != nil || late.status >= 500 {
		return failAt(Quality, "a key whose lifetime (%v) is over is answered %v", lasting, late)
	}
	return remarkf("a key whose lifetime (%v) is over is answered %d", lasting, late.status)
}

var errLate = errors.New("no retry came before the end of the lifetime: something is too slow")

// lastRetry retries shortly before the end of the lifetime. Of one that comes too late
// nothing is to be read.
func (t *trial) lastRetry(ctx context.Context, lasting time.Duration) (attempt, error) {
	started := time.Now()
	f, err := t.firstNamespace(ctx)
	if err != nil {
		return f, err
	}
	if err := sleep(ctx, lasting*9/10-time.Since(started)); err != nil {
		return f, err
	}
	err = t.retry(ctx, f, fmt.Sprintf("a retry after nine tenths of the lifetime (%v)", lasting))
	if err != nil && time.Since(started) >= lasting {
		err = errLate
	}
	return f, err
}

// firstNamespace makes a namespace by a request with a key.
func (t *trial) firstNamespace(ctx context.Context) (attempt, error) {
	if skip := t.needs("createNamespace", "loadNamespaceMetadata"); skip != nil {
		return attempt{}, skip
	}
	name := t.freshNamespace()
	v := variant{makeNamespace(name, firstProperties), t.namespaceState(name)}
	f := attempt{act: &act{variant: v}, key: newKey()}
	if f.answer = t.settle(ctx, v.call, with(f.key)); !f.answer.ok() {
		return f, t.blame(ctx, v.call, f.answer)
	}
	after, err := look(ctx, v)
	f.after = after
	return f, err
}

// crowdSize is how many keys come between a request and its retry. Whoever keeps no
// more than that cannot keep what he advertises.
const crowdSize = 200

// crowd lets requests with other keys come between a first request and its retry.
// They are refused, as what they would make is there already.
func crowd(ctx context.Context, t *trial) error {
	if t.server.config.Lifetime == nil && !t.options.All {
		return skipf(unpromised)
	}
	started := time.Now()
	f, err := t.firstNamespace(ctx)
	if err != nil {
		return err
	}
	var workers sync.WaitGroup
	for worker := range t.options.Twins {
		workers.Go(func() {
			for n := worker; n < crowdSize && ctx.Err() == nil; n += t.options.Twins {
				w := with(newKey())
				w.note = "one of many"
				t.settle(ctx, f.call, w)
			}
		})
	}
	workers.Wait()
	err = t.retry(ctx, f, fmt.Sprintf("the retry, after %d requests with other keys,", crowdSize))
	if lasting := t.server.lasting(); err != nil && lasting > 0 && time.Since(started) >= lasting {
		return skipf("%d requests took longer than a key lives (%v)", crowdSize, lasting)
	}
	return err
}
