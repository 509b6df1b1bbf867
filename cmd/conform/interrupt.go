package main

import (
	"context"
	"sync"

	"github.com/onceberg/onceberg/tests/conformance"
)

// waiting is said at once when a run is interrupted, since what follows may take as
// long as a request may.
const waiting = "conform: interrupted; waiting for requests under way, then cleaning up. Interrupt again to leave at once."

// play runs the cases while it shows how far they are, and ends them when it is told to.
func (s *settings) play(ctx context.Context, target conformance.Target, screen *screen) (*conformance.Report, error) {
	ctx, end := context.WithCancel(ctx)
	abandon := make(chan struct{})
	s.options.Abandon = abandon
	var beside sync.WaitGroup
	defer beside.Wait()
	over := make(chan struct{})
	defer close(over)
	defer end()
	beside.Go(func() { screen.tick(over) })
	beside.Go(func() {
		select {
		case <-s.interrupts:
			screen.say(waiting)
			end()
		case <-over:
			return
		}
		select {
		case <-s.interrupts:
			close(abandon)
		case <-over:
		}
	})
	return conformance.Run(ctx, target, s.options)
}
