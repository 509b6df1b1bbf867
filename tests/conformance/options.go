package conformance

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// What the options are when they are not set.
const (
	DefaultTwins    = 8
	DefaultParallel = 4
	DefaultTimeout  = 30 * time.Second
	DefaultPatience = 30 * time.Second
)

// Options say what is run, and how. The zero value of each field means its
// default.
type Options struct {
	// All tests every operation that takes a key, advertised or not.
	All bool
	// Only names what is run, as OPERATION/CASE with * for any part of a name:
	// "createTable", "createTable/twins", "*/replay". Empty means everything.
	Only []string
	// Keep leaves behind what the run made.
	Keep bool
	// Twins is how many requests with one key are sent at once. Default DefaultTwins.
	Twins int
	// Parallel is how many cases run at once. Default
	// DefaultParallel.
	Parallel int
	// Timeout is how long one request may take; one that takes longer is a
	// finding. Default DefaultTimeout.
	Timeout time.Duration
	// Patience is how long "still in progress" answers with a Retry-After are
	// followed before that is a finding. Default DefaultPatience.
	Patience time.Duration
	// LifetimeWait is the longest advertised lifetime that the kit sits out to
	// see what becomes of a key at its end. Zero skips that.
	LifetimeWait time.Duration
	// Abandon, when it is closed, ends a run at once: nothing is waited for, nothing is
	// cleaned up any more, and the report names what may be left. To let requests end
	// and clean up, end the run's context instead, or before.
	Abandon <-chan struct{}
	// OnResult hears of each result when it is there, one at a time, and how
	// many of how many there are.
	OnResult func(r Result, done, total int)
}

func (o Options) withDefaults() Options {
	o.Twins = cmp.Or(o.Twins, DefaultTwins)
	o.Parallel = cmp.Or(o.Parallel, DefaultParallel)
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.Patience = cmp.Or(o.Patience, DefaultPatience)
	if o.OnResult == nil {
		o.OnResult = func(Result, int, int) {}
	}
	return o
}

// check refuses what cannot be meant. It is asked after withDefaults.
func (o Options) check() error {
	switch {
	case o.Twins < 2:
		return fmt.Errorf("conformance: %d twins: at least 2 are needed", o.Twins)
	case o.Parallel < 1:
		return fmt.Errorf("conformance: %d cases at once: at least 1 is needed", o.Parallel)
	case o.Timeout < 0 || o.Patience < 0 || o.LifetimeWait < 0:
		return fmt.Errorf("conformance: a negative duration")
	}
	for _, pattern := range o.Only {
		if !slices.ContainsFunc(allCells(), func(c cell) bool { return matches(pattern, c) }) {
			return fmt.Errorf("conformance: only %q: no case matches; it is OPERATION/CASE, as in createTable/twins", pattern)
		}
	}
	return nil
}

// wants reports whether a cell is among those that were asked for.
func (o Options) wants(c cell) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(p string) bool { return matches(p, c) })
}

func matches(pattern string, c cell) bool {
	operation, kind, _ := strings.Cut(pattern, "/")
	return like(operation, c.operation) && like(kind, c.kind.ID)
}

func like(pattern, name string) bool {
	matched, err := path.Match(cmp.Or(pattern, "*"), name)
	return err == nil && matched
}
