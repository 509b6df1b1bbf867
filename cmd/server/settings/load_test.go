package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/onceberg/onceberg/cmd/server/settings"
)

// load reads the three places as a server started with them would.
func load(t *testing.T, file string, environ, args []string) (*settings.Settings, error) {
	t.Helper()
	from := settings.Sources{Environ: environ, Flags: pflag.NewFlagSet("server", pflag.ContinueOnError)}
	settings.AddFlags(from.Flags)
	if err := from.Flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	if file != "" {
		from.File = filepath.Join(t.TempDir(), "server.yaml")
		if err := os.WriteFile(from.File, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return settings.Load(from)
}

// The defaults that are promised to users.
func TestDefaults(t *testing.T) {
	t.Parallel()
	s, err := load(t, "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := s.Idempotency
	for what, ok := range map[string]bool{
		"listen":             s.Listen == "127.0.0.1:8181",
		"enabled":            !i.Enabled,
		"key-lifetime":       i.KeyLifetime == 30*time.Minute,
		"store-type":         i.StoreType == "in-memory",
		"max-entries":        i.MaxEntries == 10000,
		"max-bytes":          i.MaxBytes == 256<<20,
		"cleanup-interval":   i.CleanupInterval == 5*time.Minute,
		"max-pool-size":      i.SQL.MaxPoolSize == 10,
		"wait-timeout":       i.WaitTimeout == 2*time.Second,
		"lease":              i.Lease == 30*time.Second,
		"execution-timeout":  i.ExecutionTimeout == time.Minute,
		"in-progress-status": i.InProgressStatus == "auto",
		"stale-key":          i.StaleKey == "execute",
		"on-store-error":     i.OnStoreError == "fail",
		"when-full":          i.WhenFull == "evict",
		"max-stored-body":    i.MaxStoredBody == 16<<20,
	} {
		if !ok {
			t.Errorf("%s has another default: %+v", what, s)
		}
	}
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	file := "listen: 127.0.0.1:1\nidempotency:\n  lease: PT1S\n  key-lifetime: PT1M\n"
	environ := []string{"ONCEBERG_LISTEN=127.0.0.1:2", "ONCEBERG_IDEMPOTENCY_KEY_LIFETIME=PT2M", "HOME=/root"}
	s, err := load(t, file, environ, []string{"--listen", "127.0.0.1:3"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Listen != "127.0.0.1:3" || s.Idempotency.KeyLifetime != 2*time.Minute || s.Idempotency.Lease != time.Second {
		t.Errorf("%+v", s)
	}
}

// Every key can be set in every place, and gets to the same field from each.
func TestEveryKeyInEveryPlace(t *testing.T) {
	t.Parallel()
	others := map[string]string{
		"host:port": "127.0.0.1:9", "duration": "PT7S", "size": "7 KiB", "file": "f", "text": "x", "names": "a,b",
		"true or false": "true", "number": "7", "URL": "http://h:1", "DSN": "sqlite:x.db", "none, tokens, oidc": "tokens",
		"debug, info, warn, error": "warn", "text, json": "json", "in-memory, sql": "sql", "evict, refuse": "refuse",
		"folder": "d", "location": "/w", "name=value": "a=b",
		"auto, 409, 503": "503", "execute, reject": "reject", "fail, bypass": "bypass",
	}
	// What these keys need, or would be refused without.
	companions := map[string][]string{
		"tls.cert": {"tls.key=f"}, "tls.key": {"tls.cert=f"},
		"auth.type": {"auth.tokens-file=f"}, "auth.tokens-file": {"auth.type=tokens"}, "auth.clients-file": {"auth.type=tokens"},
		"auth.token-key-file": {"auth.type=tokens", "auth.clients-file=f"},
		"auth.oidc.issuer":    {"auth.type=oidc", "auth.oidc.audience=x"},
		"auth.oidc.audience":  {"auth.type=oidc", "auth.oidc.issuer=http://h"},
		"auth.oidc.jwks-url":  {"auth.type=oidc", "auth.oidc.issuer=http://h", "auth.oidc.audience=x"},
		"catalog.user":        {"catalog.dsn=mysql://h/d"}, "catalog.password": {"catalog.dsn=mysql://h/d"},
		"idempotency.sql.dsn":      {"idempotency.store-type=sql"},
		"idempotency.sql.user":     {"idempotency.store-type=sql", "idempotency.sql.dsn=mysql://h/d"},
		"idempotency.sql.password": {"idempotency.store-type=sql", "idempotency.sql.dsn=mysql://h/d"},
	}
	for _, key := range settings.Keys {
		text, ok := others[key.Form()]
		switch key.Name {
		case "catalog.namespace-separator":
			text = "." // x stands in names
		case "catalog.locations":
			text = "/a,s3://b"
		}
		if !ok {
			t.Fatalf("no value for %s, which is %q", key.Name, key.Form())
		}
		var environ, args, file []string
		for _, set := range append([]string{key.Name + "=" + text}, companions[key.Name]...) {
			name, value, _ := strings.Cut(set, "=")
			environ = append(environ, settings.Key{Name: name}.Environ()+"="+value)
			args = append(args, "--"+name+"="+value)
			file = append(file, name+": "+value)
		}
		want := key.Name[strings.LastIndex(key.Name, ".")+1:] + ": "
		for place, s := range map[string]*settings.Settings{
			"file":        mustLoad(t, strings.Join(file, "\n"), nil, nil),
			"environment": mustLoad(t, "", environ, nil),
			"flag":        mustLoad(t, "", nil, args),
		} {
			printed := show(t, s)
			shown := text
			switch {
			case strings.HasSuffix(key.Name, ".password"):
				shown = "xxxxx"
			case key.Name == "catalog.io":
				shown = "a=xxxxx"
			}
			if !strings.Contains(printed, want+shown+" # ") && !strings.Contains(printed, want+`"`+shown+`" # `) {
				t.Errorf("%s from %s is not %s:\n%s", key.Name, place, shown, printed)
			}
		}
	}
}

func mustLoad(t *testing.T, file string, environ, args []string) *settings.Settings {
	t.Helper()
	s, err := load(t, file, environ, args)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func show(t *testing.T, s *settings.Settings) string {
	t.Helper()
	var out strings.Builder
	if err := s.Print(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file          string
		environ, args []string
		want          []string
	}{
		"unknown key":             {file: "idempotency:\n  lifetme: PT1M", want: []string{"idempotency.lifetme", "server.yaml"}},
		"unknown section":         {file: "idempotent: {enabled: true}", want: []string{"unknown key idempotent", "server.yaml"}},
		"key below a key":         {file: "listen: {port: 1}", want: []string{"listen", "single value"}},
		"key too short":           {file: "idempotency: true", want: []string{"unknown key idempotency"}},
		"list for a value":        {file: "listen: [a, b]", want: []string{"listen", "single value"}},
		"bad value in file":       {file: "idempotency: {key-lifetime: 30m}", want: []string{"idempotency.key-lifetime", `"30m"`, "server.yaml", "PT30M"}},
		"twice in file":           {file: "listen: 127.0.0.1:1\nlisten: 127.0.0.1:2", want: []string{"listen", "line 2"}},
		"twice in two spellings":  {file: "idempotency: {lease: PT1S}\nidempotency.lease: PT2S", want: []string{"idempotency.lease is set twice"}},
		"no mapping":              {file: "- a", want: []string{"mapping"}},
		"no YAML":                 {file: "a: [", want: []string{"line"}},
		"two documents":           {file: "listen: 127.0.0.1:1\n---\nlisten: 127.0.0.1:2", want: []string{"more than one document"}},
		"unknown variable":        {environ: []string{"ONCEBERG_IDEMPOTENCY_LIFETIME=PT1M"}, want: []string{"ONCEBERG_IDEMPOTENCY_LIFETIME"}},
		"variable in lower case":  {environ: []string{"ONCEBERG_listen=127.0.0.1:1"}, want: []string{"ONCEBERG_listen"}},
		"bad value in variable":   {environ: []string{"ONCEBERG_IDEMPOTENCY_ENABLED=yes"}, want: []string{"idempotency.enabled", `"yes"`, "ONCEBERG_IDEMPOTENCY_ENABLED"}},
		"empty variable":          {environ: []string{"ONCEBERG_LISTEN="}, want: []string{"listen", "ONCEBERG_LISTEN"}},
		"bad value in flag":       {args: []string{"--listen=8181"}, want: []string{"listen", `"8181"`, "--listen"}},
		"bad value, overridden":   {file: "listen: nowhere", args: []string{"--listen=:1"}, want: []string{"listen", `"nowhere"`, "server.yaml"}},
		"all that is wrong":       {file: "a: 1\nlisten: x", environ: []string{"ONCEBERG_B=1"}, want: []string{"unknown key a", "listen must", "ONCEBERG_B"}},
		"port out of range":       {args: []string{"--listen=h:70000"}, want: []string{"listen"}},
		"unknown word":            {args: []string{"--idempotency.store-type=redis"}, want: []string{"idempotency.store-type", "in-memory, sql"}},
		"word in upper case":      {args: []string{"--log.level=INFO"}, want: []string{"log.level", "debug, info"}},
		"number too small":        {args: []string{"--idempotency.max-entries=0"}, want: []string{"idempotency.max-entries", "from 1"}},
		"number with a fraction":  {file: "idempotency: {max-entries: 1.5}", want: []string{"idempotency.max-entries"}},
		"size":                    {args: []string{"--max-request-body=1 MB"}, want: []string{"max-request-body", "MiB"}},
		"size too large":          {args: []string{"--max-request-body=9999999999 GiB"}, want: []string{"max-request-body", "at most 1 GiB"}},
		"no size at all":          {args: []string{"--idempotency.max-stored-body=0"}, want: []string{"idempotency.max-stored-body"}},
		"endpoint":                {args: []string{"--tracing.otlp-endpoint=localhost:4318"}, want: []string{"tracing.otlp-endpoint", "http://"}},
		"empty warehouse":         {args: []string{"--catalog.warehouses=a,,b"}, want: []string{"catalog.warehouses"}},
		"TLS without key":         {args: []string{"--tls.cert=c"}, want: []string{"tls.key"}},
		"TLS without certificate": {args: []string{"--tls.key=k"}, want: []string{"tls.cert"}},
		"tokens without file":     {args: []string{"--auth.type=tokens"}, want: []string{"auth.tokens-file"}},
		"file without tokens":     {args: []string{"--auth.tokens-file=f"}, want: []string{"auth.type"}},
		"clients without tokens":  {args: []string{"--auth.clients-file=f"}, want: []string{"auth.type"}},
		"key without clients":     {args: []string{"--auth.token-key-file=f"}, want: []string{"auth.clients-file"}},
		"no issuer":               {args: []string{"--auth.type=oidc", "--auth.oidc.audience=x"}, want: []string{"auth.oidc.issuer"}},
		"no audience":             {args: []string{"--auth.type=oidc", "--auth.oidc.issuer=http://h"}, want: []string{"auth.oidc.audience"}},
		"issuer without type":     {args: []string{"--auth.oidc.issuer=http://h"}, want: []string{"auth.type", "oidc"}},
		"tokens beside an issuer": {args: []string{"--auth.type=oidc", "--auth.tokens-file=f"}, want: []string{"auth.type", "auth.oidc.issuer"}},
		"no claim":                {args: []string{"--auth.type=oidc", "--auth.oidc.principal-claim="}, want: []string{"auth.oidc.principal-claim"}},
		"no data folder":          {args: []string{"--data-folder="}, want: []string{"data-folder"}},
		"io without a value":      {args: []string{"--catalog.io=s3.region"}, want: []string{"catalog.io", "name=value"}},
		"io twice":                {args: []string{"--catalog.io=a=1,a=2"}, want: []string{"catalog.io", "once"}},
		"sql keys in memory":      {args: []string{"--idempotency.enabled", "--idempotency.sql.dsn=sqlite:x.db"}, want: []string{"idempotency.store-type must be sql"}},
		"sql user in memory":      {args: []string{"--idempotency.sql.user=u"}, want: []string{"idempotency.store-type must be sql"}},
		"sql password in memory":  {args: []string{"--idempotency.sql.password=p"}, want: []string{"idempotency.store-type must be sql"}},
		"user without database":   {args: []string{"--idempotency.store-type=sql", "--idempotency.sql.user=u"}, want: []string{"idempotency.sql.dsn must be of PostgreSQL or MySQL"}},
		"user of SQLite":          {args: []string{"--catalog.user=u"}, want: []string{"catalog.dsn must be of PostgreSQL or MySQL"}},
		"password of SQLite":      {args: []string{"--catalog.dsn=:memory:", "--catalog.password=p"}, want: []string{"catalog.dsn must be of PostgreSQL or MySQL"}},
		"user of SQLite's file":   {args: []string{"--idempotency.store-type=sql", "--idempotency.sql.dsn=sqlite:x.db", "--idempotency.sql.user=u"}, want: []string{"idempotency.sql.dsn must be of PostgreSQL or MySQL"}},
		"unknown database":        {args: []string{"--catalog.dsn=oracle://x"}, want: []string{"catalog.dsn must be a DSN", "postgres://", "--catalog.dsn"}},
		"database without scheme": {file: "idempotency: {store-type: sql, sql: {dsn: records}}", want: []string{"idempotency.sql.dsn must be a DSN", "server.yaml"}},
		"SQLite without a file":   {args: []string{"--catalog.dsn=sqlite:"}, want: []string{"catalog.dsn must be a DSN", "no file"}},
		"SQLite, options alone":   {args: []string{"--catalog.dsn=file:?mode=ro"}, want: []string{"catalog.dsn must be a DSN", "no file"}},
		"no warehouse":            {args: []string{"--catalog.warehouse=s3://"}, want: []string{"catalog.warehouse", "s3://bucket/path"}},
		"warehouse anywhere":      {args: []string{"--catalog.warehouse=*"}, want: []string{"catalog.warehouse", "s3://bucket/path"}},
		"warehouse upwards":       {args: []string{"--catalog.warehouse=/a/../b"}, want: []string{"catalog.warehouse"}},
		"no location":             {file: "catalog: {locations: [s3://bucket, here]}", want: []string{"catalog.locations", `"here"`}},
		"location upwards":        {args: []string{"--catalog.locations=/a/../b"}, want: []string{"catalog.locations", "upwards"}},
		"separator, bad escape":   {args: []string{"--catalog.namespace-separator=%ZZ"}, want: []string{"catalog.namespace-separator", `"%ZZ"`, "--catalog.namespace-separator"}},
		"separator of paths":      {args: []string{"--catalog.namespace-separator=/"}, want: []string{"catalog.namespace-separator", `"/"`}},
		"separator, coded slash":  {args: []string{"--catalog.namespace-separator=%2F"}, want: []string{"catalog.namespace-separator", `"%2F"`}},
		"separator in names":      {args: []string{"--catalog.namespace-separator=a"}, want: []string{"catalog.namespace-separator", `"a"`}},
		"lease beyond the end":    {args: []string{"--idempotency.lease=PT2H"}, want: []string{"idempotency.lease", "PT2H", "--idempotency.lease"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, c.file, c.environ, c.args)
			if err == nil {
				t.Fatal("accepted")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the message does not name %q:\n%v", part, err)
				}
			}
		})
	}
}

func TestFileThatIsNone(t *testing.T) {
	t.Parallel()
	for _, path := range []string{filepath.Join(t.TempDir(), "none.yaml"), t.TempDir()} {
		if _, err := settings.Load(settings.Sources{File: path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAccepted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file    string
		environ []string
	}{
		"empty file":        {file: "\n"},
		"only comments":     {file: "# nothing\n"},
		"empty section":     {file: "idempotency:\n  # lease: PT1S\n"},
		"empty key":         {file: "listen:\n"},
		"end of document":   {file: "listen: 127.0.0.1:1\n...\n"},
		"list of names":     {file: "catalog:\n  warehouses: [a, b]\n"},
		"number as text":    {file: "idempotency:\n  max-entries: '7'\n"},
		"dots for levels":   {file: "idempotency.sql:\n  max-pool-size: 3\n"},
		"variables of pods": {environ: []string{"ONCEBERG_SERVICE_HOST=10.0.0.1", "ONCEBERG_SERVICE_PORT_HTTP=8181", "ONCEBERG_PORT=tcp://10.0.0.1:8181", "ONCEBERG_PORT_8181_TCP_ADDR=10.0.0.1", "ONCEBERG_DB_SERVICE_PORT=1"}},
		"variables of CI":   {environ: []string{"ONCEBERG_TEST_POSTGRES=postgres://x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := load(t, c.file, c.environ, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// No variable may mean two keys, or be taken for another program's.
func TestVariablesAreDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, key := range settings.Keys {
		if other, twice := seen[key.Environ()]; twice {
			t.Errorf("%s means %s and %s", key.Environ(), other, key.Name)
		}
		seen[key.Environ()] = key.Name
	}
}
