//go:build chaos

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// chaosClock is the variable that moves the clock: offsets from the system's, such
// as -90s, or 90s,-90s/3s to go from one to the next every 3 seconds.
const chaosClock = "ONCEBERG_CHAOS_CLOCK"

func init() {
	text := os.Getenv(chaosClock)
	if text == "" {
		return
	}
	moved, err := movedClock(text)
	// A server refuses to start with a variable that is no setting of its.
	if err = errors.Join(err, os.Unsetenv(chaosClock)); err != nil {
		panic(fmt.Sprintf("%s: %v", chaosClock, err))
	}
	now = moved
}

// movedClock returns a clock that is off.
func movedClock(text string) (func() time.Time, error) {
	list, every, steps := strings.Cut(text, "/")
	var offsets []time.Duration
	for word := range strings.SplitSeq(list, ",") {
		offset, err := time.ParseDuration(word)
		if err != nil {
			return nil, err
		}
		offsets = append(offsets, offset)
	}
	period := time.Hour
	if steps {
		var err error
		if period, err = time.ParseDuration(every); err != nil {
			return nil, err
		}
	}
	if period <= 0 {
		return nil, fmt.Errorf("steps take longer than %v", period)
	}
	began := time.Now()
	return func() time.Time {
		step := int(time.Since(began)/period) % len(offsets)
		return time.Now().Add(offsets[step])
	}, nil
}
