package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

// That a client hung up is no failure of ours, whoever reports it; what fails
// otherwise meanwhile is one.
func TestHangingUpIsNoFailure(t *testing.T) {
	t.Parallel()
	unreachable := fmt.Errorf("the database cannot be reached: %w", context.Canceled)
	for name, test := range map[string]struct {
		err    error
		leaves bool
		level  string
	}{
		"the client left":                  {unreachable, true, "DEBUG"},
		"the client left, the disk failed": {errors.New("the disk is full"), true, "ERROR"},
		"the client waits":                 {unreachable, false, "ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			d := newDesk(t, func(echo.Context) error {
				if test.leaves {
					cancel()
				}
				return test.err
			})
			d.send(request{ctx: ctx})
			if log := d.log.String(); !strings.Contains(log, "level="+test.level) || strings.Count(log, "level=") != 1 || !strings.Contains(log, test.err.Error()) {
				t.Errorf("want one line at level %s: %s", test.level, log)
			}
		})
	}
}
