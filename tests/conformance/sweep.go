package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Most trials are cleaned up at the first try. What could not be removed for a reason
// that may pass, and what a request without an answer may yet make, is looked after
// again when all have been played, with pauses between.

// sweeping is how long that may take, whatever there is to be removed.
const sweeping = 15 * time.Second

// sweeps are the pauses before each further try.
var sweeps = []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second}

// What is said of a namespace that nobody has seen, and that may be there.
const (
	mayCome  = "perhaps; a request that would make something had no answer, and may be carried out yet"
	unlooked = "perhaps; the run was ended before that could be seen"
)

// sweep cleans up after those trials that ask for it, and notes what is left.
func (r *runner) sweep(ctx context.Context) {
	outlasting, cancel := r.server.abandoned.outlast(ctx, sweeping)
	defer cancel()
	for i, pause := range sweeps {
		if len(r.again) == 0 || sleep(outlasting, pause) != nil {
			break
		}
		last := i == len(sweeps)-1
		r.again = slices.DeleteFunc(r.again, func(t *trial) bool {
			if outlasting.Err() != nil || t.clean(outlasting, last) {
				return false
			}
			r.left = append(r.left, t.left()...)
			return true
		})
	}
	for _, t := range r.again {
		switch {
		case r.server.abandoned.done():
			r.left = append(append(r.left, t.files...), t.remaining(unlooked)...)
		case outlasting.Err() != nil:
			r.left = append(r.left, t.suspected(unlooked)...)
		case t.doubtful:
			r.left = append(r.left, t.suspected(mayCome)...)
		default:
			r.left = append(r.left, t.left()...)
		}
	}
}

// suspected is what is left of a trial, with all of its namespaces, seen or not.
func (t *trial) suspected(why string) []string {
	left := t.left()
	for _, namespace := range t.namespaces {
		named := "namespace " + namespace + ":"
		if !slices.ContainsFunc(left, func(line string) bool { return strings.HasPrefix(line, named) }) {
			left = append(left, fmt.Sprintf("%s %s", named, why))
		}
	}
	return left
}
