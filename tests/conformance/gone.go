package conformance

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The kit gives a server up when it cannot be reached that often in a row. One that
// falls over and is started anew answers before that.
const (
	knocks     = 5
	knockPause = 500 * time.Millisecond
)

// goneError ends a run whose server is gone.
type goneError struct {
	during cell // what was played when that was noticed
	cause  error
}

func (e *goneError) Error() string {
	return fmt.Sprintf("%v, in %s/%s", e.cause, e.during.operation, e.during.kind.ID)
}

// gone says that the server could no longer be reached, and when that was noticed;
// empty when that is not what ended a run.
func gone(ctx context.Context) string {
	var why *goneError
	if errors.As(context.Cause(ctx), &why) {
		return why.Error()
	}
	return ""
}

// ended is the skip of what a run did not come to any more.
func ended(ctx context.Context) error {
	if gone(ctx) != "" {
		return skipf("the server could no longer be reached")
	}
	return skipf("the run was ended")
}

// knock asks the server for its configuration until it answers anything, and
// returns why it does not.
func (s *server) knock(ctx context.Context, o Options) error {
	var failure error
	for i := range knocks {
		if i > 0 && sleep(ctx, knockPause) != nil {
			return nil
		}
		a := s.exchange(ctx, configCall(s.target), way{}, o)
		if a.status != 0 || ctx.Err() != nil {
			return nil
		}
		failure = a.err
	}
	return failure
}
