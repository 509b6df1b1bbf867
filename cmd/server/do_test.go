package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"help":                {[]string{"--help"}, exitOK, ""},
		"version":             {[]string{"version"}, exitOK, ""},
		"unknown command":     {[]string{"frobnicate"}, exitBadInput, `"frobnicate"`},
		"unknown flag":        {[]string{"--idempotency.lifetime=PT1M"}, exitBadInput, "--idempotency.lifetime"},
		"argument":            {[]string{"serve", "now"}, exitBadInput, `"now"`},
		"bad value":           {[]string{"--listen=nowhere"}, exitBadInput, "listen must be"},
		"missing file":        {[]string{"config", "--config", "none.yaml"}, exitBadInput, "none.yaml"},
		"no certificate":      {[]string{"--listen=127.0.0.1:0", "--tls.cert=none.pem", "--tls.key=none.pem"}, exitFailure, "tls.cert"},
		"no tokens":           {[]string{"--listen=127.0.0.1:0", "--auth.type=tokens", "--auth.tokens-file=none"}, exitFailure, "auth.tokens-file"},
		"bad separator":       {[]string{"--listen=127.0.0.1:0", "--catalog.namespace-separator=%"}, exitBadInput, "catalog.namespace-separator"},
		"no database's DSN":   {[]string{"--catalog.dsn=oracle:s3cr3t"}, exitBadInput, "server: catalog.dsn must be a DSN: the DSN has none"},
		"config of no DSN":    {[]string{"config", "--catalog.dsn=oracle:s3cr3t"}, exitBadInput, "server: catalog.dsn must be"},
		"print for no DSN":    {[]string{"migrate", "--print", "--catalog.dsn=oracle://s3cr3t"}, exitBadInput, "server: catalog.dsn must be"},
		"config, separator":   {[]string{"config", "--catalog.namespace-separator=%2F"}, exitBadInput, "catalog.namespace-separator"},
		"no folder":           {[]string{"--catalog.dsn=sqlite:/nowhere/at/all.db?x=s3cr3t"}, exitFailure, "server: catalog.dsn: sqlstore: open: /nowhere/at/all.db: "},
		"no record store's":   {[]string{"--idempotency.enabled", "--idempotency.store-type=sql", "--idempotency.sql.dsn=oracle:x"}, exitBadInput, "server: idempotency.sql.dsn must be a DSN: the DSN has none"},
		"migrate no DSN":      {[]string{"migrate", "--catalog.dsn=s3cr3t"}, exitBadInput, "server: catalog.dsn must be a DSN: the DSN has none"},
		"migrate half a DSN":  {[]string{"migrate", inRecords, "--idempotency.sql.dsn=mysql://u:s3cr3t@[::1/x"}, exitBadInput, "server: idempotency.sql.dsn: the MySQL DSN"},
		"migrate default":     {[]string{"migrate"}, exitOK, ""},
		"migrate nowhere":     {[]string{"migrate", "--catalog.dsn=postgres://u:s3cr3t@127.0.0.1:1/x?sslmode=disable"}, exitFailure, "catalog.dsn"},
		"no location":         {[]string{"--catalog.warehouse=here"}, exitBadInput, "catalog.warehouse"},
		"no file IO":          {[]string{"--listen=127.0.0.1:0", "--data-folder=" + t.TempDir(), "--catalog.warehouse=gopher://x/y"}, exitFailure, "catalog.warehouse: there is no file IO for gopher://; known are abfs,"},
		"migrate unreachable": {[]string{"migrate", inRecords, "--idempotency.sql.dsn=postgres://u:s3cr3t@127.0.0.1:1/x?sslmode=disable"}, exitFailure, "idempotency.sql.dsn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, _, stderr := run(t, c.args...)
			if code != c.code || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "s3cr3t") {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, stderr)
			}
		})
	}
}

// Who may not write to the data folder learns which one it is.
func TestUnusableDataFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	database := filepath.Join(folder, "catalog.db")
	if err := os.Mkdir(database, 0o700); err != nil { // as good as no permission, which root always has
		t.Fatal(err)
	}
	var errs strings.Builder
	code := Do(t.Context(), []string{"--listen=127.0.0.1:0", "--data-folder", folder}, strings.NewReader(""), io.Discard, &errs)
	if code != exitFailure || !strings.Contains(errs.String(), "server: data-folder: ") || !strings.Contains(errs.String(), database) {
		t.Errorf("exit code %d\n%s", code, &errs)
	}
}

// The environment reaches the command; where it comes from is what package
// settings has tested.
func TestConfigCommand(t *testing.T) {
	file := writeFile(t, "server.yaml", "idempotency:\n  enabled: true\n  lease: PT1S\n")
	t.Setenv("ONCEBERG_IDEMPOTENCY_LEASE", "PT2S")
	t.Setenv("ONCEBERG_IDEMPOTENCY_STORE_TYPE", "sql")
	t.Setenv("ONCEBERG_IDEMPOTENCY_SQL_DSN", "mysql://db/records")
	t.Setenv("ONCEBERG_IDEMPOTENCY_SQL_PASSWORD", "s3cr3t")
	code, stdout, stderr := run(t, "config", "--config", file, "--idempotency.key-lifetime", "PT1H")
	if code != exitOK || stderr != "" || strings.Contains(stdout, "s3cr3t") {
		t.Fatalf("exit code %d\n%s%s", code, stderr, stdout)
	}
	for _, line := range []string{
		"listen: 127.0.0.1:8181\n",
		"  enabled: true # " + file + "\n",
		"  lease: PT2S # ONCEBERG_IDEMPOTENCY_LEASE\n",
		"  key-lifetime: PT1H # --idempotency.key-lifetime\n",
		"    password: xxxxx # ONCEBERG_IDEMPOTENCY_SQL_PASSWORD\n",
	} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no line %q in\n%s", line, stdout)
		}
	}
	t.Setenv("ONCEBERG_IDEMPOTENCY_LEESE", "PT2S")
	if code, stdout, stderr := run(t, "config"); code != exitBadInput || stdout != "" || !strings.Contains(stderr, "ONCEBERG_IDEMPOTENCY_LEESE") {
		t.Errorf("exit code %d\n%s%s", code, stderr, stdout)
	}
}
