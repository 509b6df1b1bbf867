package settings_test

import (
	"testing"
)

// A file is either refused or means what is printed of it.
func FuzzFile(f *testing.F) {
	f.Add("listen: 127.0.0.1:1\nidempotency:\n  sql: {max-pool-size: 3}\n")
	f.Add("idempotency.lease: PT1.5S\ncatalog: {warehouses: [a, b]}\n")
	f.Add("a: &a [*a]\n")
	f.Add("? [x]\n: y\n")
	f.Add("log:\n  level: !!binary aW5mbw==\n")
	f.Fuzz(func(t *testing.T, content string) {
		if content == "" {
			return
		}
		first, err := load(t, content, nil, nil)
		if err != nil {
			return
		}
		printed := show(t, first)
		second, err := load(t, printed, nil, nil)
		if err != nil {
			t.Fatalf("%q was accepted, and printed it is not: %v\n%s", content, err, printed)
		}
		if again := show(t, second); withoutOrigins(again) != withoutOrigins(printed) && first.Idempotency.SQL.DSN == "" {
			t.Errorf("%q is printed as\n%s\nwhich is read as\n%s", content, printed, again)
		}
	})
}
