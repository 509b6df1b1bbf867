package settings

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/sosodev/duration"

	"github.com/onceberg/onceberg/runtime"
)

// span is an ISO-8601 duration within bounds.
type span struct {
	to         *time.Duration
	least, max time.Duration
}

func (v span) String() string { return runtime.FormatDuration(*v.to) }
func (v span) form() string   { return "duration" }

// fixedSpan is the part of ISO-8601 whose length does not depend on a calendar,
// each unit at most once and in order. The library is more lenient: it takes PT
// for nothing and PT1M2M for two minutes.
var fixedSpan = regexp.MustCompile(`^P(\d{1,9}W)?(\d{1,9}D)?(T(\d{1,9}H)?(\d{1,9}M)?(\d{1,9}(\.\d{1,9})?S)?)?$`)

func (v span) set(s string) error {
	wanted := mustBe(fmt.Sprintf("an ISO-8601 duration such as PT30M or PT1M30S, without years and months, from %s to %s",
		span{to: &v.least}, span{to: &v.max}))
	if !fixedSpan.MatchString(s) || strings.HasSuffix(s, "T") {
		return wanted
	}
	parsed, err := duration.Parse(s)
	if err != nil {
		return wanted
	}
	d := parsed.ToTimeDuration()
	// Weeks are counted beside: their nine digits are the only way to exceed
	// what a time.Duration holds.
	if d < v.least || d > v.max || parsed.Weeks > v.max.Hours()/(7*24) || parsed.Days > v.max.Hours()/24 || parsed.Hours > v.max.Hours() {
		return wanted
	}
	*v.to = d
	return nil
}
