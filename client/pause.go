package client

import (
	"encoding/binary"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestPause is what a Retry-After beyond all bounds comes to.
const longestPause = time.Duration(math.MaxInt64 / 4)

// backoff is the pause after the nth attempt, spread over its second half, so
// that clients which were cut off together do not come back together.
func (o *Options) backoff(n int) time.Duration {
	d := o.MinBackoff
	for ; n > 1 && d < o.MaxBackoff; n-- {
		d = min(2*d, o.MaxBackoff)
	}
	return d/2 + o.chance(d/2)
}

// lengthen keeps clients apart that were told the same Retry-After. None comes
// early.
func (o *Options) lengthen(retryAfter time.Duration) time.Duration {
	return retryAfter + o.chance(retryAfter/10)
}

// chance returns a duration of up to d, all of it if there is no randomness.
func (o *Options) chance(d time.Duration) time.Duration {
	var random [8]byte
	if d <= 0 {
		return 0
	}
	if _, err := io.ReadFull(o.Random, random[:]); err != nil {
		return d
	}
	// The modulo prefers small values by less than anyone can measure.
	return time.Duration(binary.BigEndian.Uint64(random[:]) % (uint64(d) + 1))
}

// retryAfter reads the header of that name (RFC 9110 section 10.2.3): seconds, or
// a date, which is compared with the server's own clock where it tells that. 0
// stands for none, for the past, and for what cannot be read.
func retryAfter(header http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if text == "" {
		return 0
	}
	if strings.Trim(text, "0123456789") == "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seconds > int64(longestPause/time.Second) {
			return longestPause
		}
		return time.Duration(seconds) * time.Second
	}
	then, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if server, err := http.ParseTime(header.Get("Date")); err == nil {
		now = server
	}
	return min(max(then.Sub(now), 0), longestPause)
}
