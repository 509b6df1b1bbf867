package runtime

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

type valueKey struct{}

func TestLifespan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		request, hangUp := context.WithCancelCause(context.WithValue(context.Background(), valueKey{}, "v"))
		defer hangUp(nil)
		ex := &exchange{}
		for _, arm := range []bool{false, true} {
			var l lifespan
			l.begin(request, ex, time.Now().Add(time.Minute))
			hangUp(errors.New("gone"))
			if arm {
				l.Done()
			}
			if l.Value(valueKey{}) != "v" || exchangeOf(&l) != ex || l.Err() != nil || context.Cause(&l) != nil {
				t.Errorf("armed %t: %v, %v, %v", arm, l.Value(valueKey{}), l.Err(), context.Cause(&l))
			}
			child, cancel := context.WithTimeout(&l, time.Hour)
			defer cancel()
			if deadline, _ := child.Deadline(); time.Until(deadline) != time.Minute {
				t.Errorf("the child's deadline is %v", deadline)
			}
			l.end()
			<-child.Done()
			if !errors.Is(l.Err(), context.Canceled) || !errors.Is(child.Err(), context.Canceled) {
				t.Errorf("ended: %v, %v", l.Err(), child.Err())
			}
			var late lifespan
			late.begin(request, ex, time.Now().Add(time.Minute))
			late.end()
			<-late.Done()
			if !errors.Is(late.Err(), context.Canceled) {
				t.Errorf("ended before it was armed: %v", late.Err())
			}
		}
		var l lifespan
		l.begin(request, ex, time.Now().Add(time.Minute))
		time.Sleep(time.Minute) //nolint:forbidigo // the bubble's time, not ours
		if !errors.Is(l.Err(), context.DeadlineExceeded) {
			t.Errorf("expired, not armed: %v", l.Err())
		}
		<-l.Done()
		if !errors.Is(l.Err(), context.DeadlineExceeded) {
			t.Errorf("expired, armed: %v", l.Err())
		}
		l.end()
		if !errors.Is(l.Err(), context.DeadlineExceeded) {
			t.Errorf("ended after it expired: %v", l.Err())
		}
	})
}
