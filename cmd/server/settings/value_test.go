package settings_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/runtime"
)

func TestDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"PT30M": 30 * time.Minute, "PT1M30S": 90 * time.Second, "PT1800S": 30 * time.Minute, "PT168H": 168 * time.Hour,
		"P7D": 168 * time.Hour, "P1W": 168 * time.Hour, "P1DT12H": 36 * time.Hour, "PT1.5S": 1500 * time.Millisecond,
		"P366D": 366 * 24 * time.Hour,
	} {
		s, err := load(t, "", nil, []string{"--idempotency.key-lifetime", text})
		if err != nil || s.Idempotency.KeyLifetime != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "P", "PT", "P1DT", "30m", "30", "PT0S", "PT0.5S", "-PT30M", "PT-30M", "P1Y", "P1M", "P1Y2M", "pt30m", "PT30m", "PT30", "PTM",
		"PT1M2M", "PT1S1M", "P1H", "P1.5D", "PT1,5S", " PT30M", "PT30M ", "P367D", "P999999999W", "PT999999999H", "PT9999999999S", "PT٣M",
	} {
		if _, err := load(t, "", nil, []string{"--idempotency.key-lifetime", text}); err == nil ||
			!strings.Contains(err.Error(), strconv.Quote(text)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Whatever is printed can be read, and means the same.
func TestDurationsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		d := time.Duration(rapid.Int64Range(int64(time.Second), int64(366*24*time.Hour)).Draw(rt, "d"))
		s, err := load(t, "", nil, []string{"--idempotency.key-lifetime", runtime.FormatDuration(d)})
		// The library computes in floating point; a microsecond is more than it loses.
		if err != nil || (s.Idempotency.KeyLifetime-d).Abs() > time.Microsecond {
			rt.Fatalf("%v: %v, %v", d, s, err)
		}
	})
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1": 1, "65536": 65536, "64KiB": 65536, "64 KiB": 65536, "16 MiB": 16 << 20, "1 GiB": 1 << 30, "1073741824": 1 << 30,
	} {
		s, err := load(t, "", nil, []string{"--max-request-body", text})
		if err != nil || s.MaxRequestBody != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "1.5 MiB", "MiB", "1 mib", "1 MB", "1 MiBs", "2 GiB", "1073741825", "16 MiB ", "9223372036854775807 KiB"} {
		if _, err := load(t, "", nil, []string{"--max-request-body", text}); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
