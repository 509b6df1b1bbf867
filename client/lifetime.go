package client

import (
	"errors"
	"strings"
	"time"

	"github.com/sosodev/duration"
)

// longestLifetime keeps sums of time from overflowing. Nobody lives to see it.
const longestLifetime = 100 * 365 * 24 * time.Hour

var errNegative = errors.New("it must not be negative")

// parseLifetime reads an ISO-8601 duration. A day has 24 hours, a month is a
// twelfth of 365 days. Letters of either case will do, as they do for Java.
func parseLifetime(text string) (time.Duration, error) {
	d, err := duration.Parse(strings.ToUpper(text))
	if err != nil {
		return 0, err
	}
	days := 365*d.Years + 365./12*d.Months + 7*d.Weeks + d.Days
	seconds := 3600*(24*days+d.Hours) + 60*d.Minutes + d.Seconds
	switch {
	case d.Negative && seconds > 0:
		return 0, errNegative
	case seconds > longestLifetime.Seconds():
		return longestLifetime, nil
	}
	return d.ToTimeDuration(), nil
}
