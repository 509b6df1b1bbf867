package settings_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/onceberg/onceberg/cmd/server/settings"
)

// A file is either refused or means what is printed of it.
func FuzzFile(f *testing.F) {
	f.Add("listen: 127.0.0.1:1\nidempotency:\n  sql: {max-pool-size: 3}\n")
	f.Add("idempotency.lease: PT1.5S\ncatalog: {warehouses: [a, b]}\n")
	f.Add("a: &a [*a]\n")
	f.Add("? [x]\n: y\n")
	f.Add("log:\n  level: !!binary aW5mbw==\n")
	file := filepath.Join(f.TempDir(), "server.yaml") // the process's own, to make no folder for each input
	read := func(t *testing.T, content string) (*settings.Settings, error) {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return settings.Load(settings.Sources{File: file})
	}
	f.Fuzz(func(t *testing.T, content string) {
		first, err := read(t, content)
		if err != nil {
			return
		}
		printed := show(t, first)
		second, err := read(t, printed)
		if err != nil {
			t.Fatalf("%q was accepted, and printed it is not: %v\n%s", content, err, printed)
		}
		if again := show(t, second); withoutOrigins(again) != withoutOrigins(printed) && first.Idempotency.SQL.DSN == "" {
			t.Errorf("%q is printed as\n%s\nwhich is read as\n%s", content, printed, again)
		}
	})
}
