package settings_test

import (
	"strings"
	"testing"

	"github.com/onceberg/onceberg/cmd/server/settings"
)

const password = "s3cr3t"

// What the server prints about its configuration holds no secret, however the
// secret got in.
func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	for dsn, shown := range map[string]string{
		"postgres://ann:s3cr3t@db.example:5432/catalog":             "postgres://ann:xxxxx@db.example:5432/catalog",
		"postgres://ann@db/catalog?password=s3cr3t&sslmode=disable": "postgres://ann@db/catalog",
		"mysql://ann:s3cr3t@db/catalog":                             "mysql://ann:xxxxx@db/catalog",
		"ann:s3cr3t@tcp(db:3306)/catalog?x=s3cr3t":                  "ann:xxxxx@tcp(db:3306)/catalog",
		"ann:p@s3cr3t@tcp(db:3306)/catalog":                         "ann:xxxxx@tcp(db:3306)/catalog",
		"postgres://ann:%zzs3cr3t@db/catalog":                       "postgres:xxxxx@db/catalog",
		"mysql:s3cr3t":                                              "mysql:xxxxx",
		"tcp(db:3306)/x?x=s3cr3t":                                   "tcp(db:3306)/x",
		"sqlite:/var/lib/catalog.db?_key=s3cr3t":                    "sqlite:/var/lib/catalog.db",
		"file:catalog.db":                                           "file:catalog.db",
		":memory:":                                                  ":memory:",
	} {
		printed := show(t, mustLoad(t, "", []string{"ONCEBERG_IDEMPOTENCY_STORE_TYPE=sql", "ONCEBERG_IDEMPOTENCY_SQL_DSN=" + dsn}, nil))
		if strings.Contains(printed, password) {
			t.Errorf("%s: the password is shown:\n%s", dsn, printed)
		}
		if !strings.Contains(printed, "dsn: "+shown+" #") && !strings.Contains(printed, `dsn: '`+shown+`' #`) && !strings.Contains(printed, `dsn: "`+shown+`" #`) {
			t.Errorf("%s: %q is not shown:\n%s", dsn, shown, printed)
		}
	}
	printed := show(t, mustLoad(t, "", []string{"ONCEBERG_CATALOG_DSN=mysql://h/d", "ONCEBERG_CATALOG_PASSWORD=s3cr3t"}, nil))
	if strings.Contains(printed, password) || !strings.Contains(printed, "password: xxxxx #") {
		t.Error(printed)
	}
	printed = show(t, mustLoad(t, "", nil, []string{"--tracing.otlp-endpoint=https://me:s3cr3t@traces/x?k=s3cr3t"}))
	if strings.Contains(printed, password) {
		t.Error(printed)
	}
}

// Errors hold no secret either.
func TestSecretsAreNotInErrors(t *testing.T) {
	t.Parallel()
	file := "idempotency:\n  sql:\n    password: s3cr3t\n    dsn: [s3cr3t]\n    max-pool-size: many\n"
	environ := []string{"ONCEBERG_IDEMPOTENCY_SQL_PASWORD=s3cr3t"}
	_, err := load(t, file, environ, nil)
	if err == nil || strings.Contains(err.Error(), password) {
		t.Error(err)
	}
	for _, file := range []string{
		"s3cr3t", "- s3cr3t", "idempotency.sql.password: s3cr3t\nidempotency.sql.password: s3cr3t",
		"catalog.password: *s3cr3t", "catalog.password: !!int s3cr3t",
	} {
		if _, err := load(t, file, nil, nil); err == nil || strings.Contains(err.Error(), password) {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// Nor is a value that is refused quoted, from wherever it comes, where a secret may
// be in it.
func TestRefusedSecretsAreNotQuoted(t *testing.T) {
	t.Parallel()
	for key, values := range map[string][]string{
		"catalog.io": {
			"s3.access-key-id=A,s3.secret-access-key=s3cr3t,ETPW", "s3.secret-access-key=A,s3.secret-access-key=s3cr3t", "s3cr3t", "=s3cr3t",
		},
		"catalog.dsn":           {"oracle://u:s3cr3t@h/d", "host=db password=s3cr3t", "sqlite:?_key=s3cr3t"},
		"idempotency.sql.dsn":   {"postgres//u:s3cr3t@h/d"},
		"tracing.otlp-endpoint": {"me:s3cr3t@traces:4318", "traces:4318/x?k=s3cr3t"},
		"auth.oidc.jwks-url":    {"htps://me:s3cr3t@login"},
	} {
		for _, value := range values {
			for place, refuse := range map[string]func() error{
				"file": func() error { _, err := load(t, key+": '"+value+"'", nil, nil); return err },
				"variable": func() error {
					_, err := load(t, "", []string{settings.Key{Name: key}.Environ() + "=" + value}, nil)
					return err
				},
				"flag": func() error { _, err := load(t, "", nil, []string{"--" + key + "=" + value}); return err },
			} {
				if err := refuse(); err == nil || strings.Contains(err.Error(), password) || !strings.Contains(err.Error(), key) {
					t.Errorf("%s of %q in a %s: %v", key, value, place, err)
				}
			}
		}
	}
	if _, err := load(t, "catalog:\n  io: [s3.region=x, s3cr3t]\n", nil, nil); err == nil || strings.Contains(err.Error(), password) {
		t.Error(err)
	}
}

// The output is a configuration file that means the same, but for origins.
func TestPrintedCanBeRead(t *testing.T) {
	t.Parallel()
	args := []string{
		"--catalog.warehouses=a b,c", "--idempotency.in-progress-status=409", "--tls.cert=x\ny", "--tls.key=# k",
		"--idempotency.store-type=sql", "--idempotency.sql.dsn=mysql://h/d", "--idempotency.sql.user=true", "--idempotency.max-stored-body=12345", "--log.level=debug",
	}
	first := mustLoad(t, "", nil, args)
	printed := show(t, first)
	second := mustLoad(t, printed, nil, nil)
	if again := show(t, second); withoutOrigins(again) != withoutOrigins(printed) {
		t.Errorf("read again it prints\n%s\ninstead of\n%s", again, printed)
	}
	if second.TLS.Cert != "x\ny" || second.TLS.Key != "# k" || second.Idempotency.SQL.User != "true" {
		t.Errorf("%+v", second)
	}
	if !strings.Contains(printed, "log:\n  level: debug # --log.level\n  format: text\n") {
		t.Errorf("not as a person would write it:\n%s", printed)
	}
}

func withoutOrigins(printed string) string {
	var lines []string
	for line := range strings.Lines(printed) {
		line, _, _ = strings.Cut(line, " # /")
		line, _, _ = strings.Cut(line, " # --")
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}
