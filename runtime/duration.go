package runtime

import (
	"strconv"
	"strings"
	"time"
)

// FormatDuration writes d as an ISO-8601 duration in hours, minutes and seconds,
// the form in which a lifetime is advertised: PT30M, PT168H, PT1M30S. Days would
// be read alike, but weeks and months stop a Java client at its start, so no unit
// above the hour is used. Zero and less give the empty string: nothing to
// advertise.
func FormatDuration(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	text := strings.Builder{}
	text.WriteString("PT")
	if hours := d / time.Hour; hours > 0 {
		text.WriteString(strconv.FormatInt(int64(hours), 10) + "H")
	}
	if minutes := d % time.Hour / time.Minute; minutes > 0 {
		text.WriteString(strconv.FormatInt(int64(minutes), 10) + "M")
	}
	if rest := d % time.Minute; rest > 0 {
		text.WriteString(formatSeconds(rest) + "S")
	}
	return text.String()
}

// formatSeconds keeps the exact decimal fraction, which a float might not.
func formatSeconds(d time.Duration) string {
	whole := strconv.FormatInt(int64(d/time.Second), 10)
	nanos := int64(d % time.Second)
	if nanos == 0 {
		return whole
	}
	fraction := strconv.FormatInt(int64(time.Second)+nanos, 10)[1:]
	return whole + "." + strings.TrimRight(fraction, "0")
}
