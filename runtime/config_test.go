package runtime_test

import (
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/runtime"
)

// Each bad value is an error that names the field.
func TestConfigErrors(t *testing.T) {
	t.Parallel()
	for field, cfg := range map[string]runtime.Config{
		"Lifetime":         {Lifetime: time.Second - 1},
		"Grace":            {Grace: -1},
		"Lease":            {Lease: -1},
		"WaitTimeout":      {WaitTimeout: -1},
		"MaxWaiters":       {MaxWaiters: -1},
		"ExecutionTimeout": {ExecutionTimeout: -1},
		"InProgressStatus": {InProgressStatus: "500"},
		"StaleKey":         {StaleKey: "ignore"},
		"OnStoreError":     {OnStoreError: "panic"},
		"MaxStoredBody":    {MaxStoredBody: -1},
		"MaxRequestBody":   {MaxRequestBody: -1},
		"Mode":             {Mode: "three-phase"},
	} {
		_, err := runtime.NewGuard(newMemory(t), cfg)
		if err == nil || !strings.Contains(err.Error(), "Config."+field+" ") {
			t.Errorf("%s: %v; want an error that names it", field, err)
		}
	}
	for field, cfg := range map[string]runtime.Config{
		"Lifetime":      {Lifetime: -time.Hour},
		"Lease":         {Lease: time.Hour},
		"MaxStoredBody": {MaxStoredBody: 1<<30 + 1},
		"Mode":          {Mode: runtime.ModeTransactional},
	} {
		_, err := runtime.NewGuard(newMemory(t), cfg)
		if err == nil || !strings.Contains(err.Error(), "Config."+field+" ") {
			t.Errorf("%s: %v; want an error that names it", field, err)
		}
	}
}

func TestLifetime(t *testing.T) {
	t.Parallel()
	for want, cfg := range map[time.Duration]runtime.Config{
		30 * time.Minute: {},
		time.Hour:        {Lifetime: time.Hour},
	} {
		guard, err := runtime.NewGuard(newMemory(t), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := guard.Lifetime(); got != want {
			t.Errorf("lifetime %s; want %s", got, want)
		}
	}
}

// case A12: hours, minutes and seconds alone, as a Java client reads them.
func TestFormatDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0:                                     "",
		-time.Hour:                            "",
		time.Second:                           "PT1S",
		30 * time.Minute:                      "PT30M",
		90 * time.Second:                      "PT1M30S",
		36 * time.Hour:                        "PT36H",
		168 * time.Hour:                       "PT168H",
		365 * 24 * time.Hour:                  "PT8760H",
		time.Hour + time.Minute + time.Second: "PT1H1M1S",
		time.Hour + time.Second:               "PT1H1S",
		1500 * time.Millisecond:               "PT1.5S",
		time.Minute + time.Nanosecond:         "PT1M0.000000001S",
	} {
		if got := runtime.FormatDuration(d); got != want {
			t.Errorf("FormatDuration(%s) = %q; want %q", d, got, want)
		}
	}
}
