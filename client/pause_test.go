package client_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/onceberg/onceberg/client"
)

// pauses sends a mutation that is answered by a step and returns what was waited.
func pauses(t *testing.T, s step, change func(*client.Options)) (pauses []time.Duration) {
	t.Helper()
	rig := newRigWith(t, change, s)
	rig.clock.waited = func(d time.Duration) { pauses = append(pauses, d) }
	if _, _, err := rig.send(t); err == nil {
		t.Error("no error")
	}
	return pauses
}

// Pauses double up to the longest, each less up to half of it.
func TestBackoff(t *testing.T) {
	t.Parallel()
	full := []time.Duration{1, 2, 4, 8, 16, 32, 64, 100, 100}
	got := pauses(t, status(500, ""), func(*client.Options) {})
	if len(got) != len(full) {
		t.Fatalf("%v", got)
	}
	spread := false
	for i, most := range full {
		most *= 100 * time.Millisecond
		if got[i] < most/2 || got[i] > most {
			t.Errorf("pause %d is %v; want %v to %v", i+1, got[i], most/2, most)
		}
		spread = spread || got[i] != most && got[i] != most/2
	}
	if !spread {
		t.Errorf("%v is not left to chance", got)
	}
	for _, d := range pauses(t, status(500, ""), func(o *client.Options) { o.MinBackoff = time.Minute }) {
		if d < 30*time.Second || d > time.Minute {
			t.Errorf("pause %v; want at most the first one", d)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		retryAfter, date string
		want             time.Duration // 0: the backoff's own
	}{
		"seconds":                    {"7", "", 7 * time.Second},
		"spaces":                     {" 7 ", "", 7 * time.Second},
		"zero":                       {"0", "", 0},
		"negative":                   {"-7", "", 0},
		"fraction":                   {"7.5", "", 0},
		"none":                       {"", "", 0},
		"words":                      {"soon", "", 0},
		"date":                       {"+9s", "", 9 * time.Second},
		"date gone by":               {"-9s", "", 0},
		"date of a server that errs": {"+99s", "+90s", 9 * time.Second},
		"another such":               {"-81s", "-90s", 9 * time.Second},
		"date and a broken clock":    {"+9s", "noon", 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rig := newRigWith(t, func(o *client.Options) { o.MaxAttempts = 2 }, status(503, ""))
			now := rig.clock.now.Truncate(time.Second)
			rig.clock.now = now
			header := rig.base.steps[0].header
			header.Set("Retry-After", dated(test.retryAfter, now))
			header.Set("Date", dated(test.date, now))
			var got time.Duration
			rig.clock.waited = func(d time.Duration) { got = d }
			_, _, _ = rig.send(t)
			least, most := test.want, test.want+test.want/10
			if test.want == 0 {
				least, most = 50*time.Millisecond, 100*time.Millisecond
			}
			if got < least || got > most {
				t.Errorf("pause %v; want %v to %v", got, least, most)
			}
		})
	}
}

// dated turns a signed duration into the date that is so far from now.
func dated(text string, now time.Time) string {
	if d, err := time.ParseDuration(text); err == nil && (text[0] == '+' || text[0] == '-') && text[len(text)-1] == 's' {
		return now.Add(d).UTC().Format(http.TimeFormat)
	}
	return text
}

// A Retry-After beyond the key's lifetime is not waited for, be it of any size.
func TestRetryAfterBeyondTheLifetime(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"1800", "9999999999", "9223372036854775807", "99999999999999999999999"} {
		if got := pauses(t, status(503, "", "Retry-After", text), func(*client.Options) {}); len(got) != 0 {
			t.Errorf("Retry-After %s: waited %v", text, got)
		}
	}
}
