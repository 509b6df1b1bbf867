package runtime_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/runtime"
	"github.com/onceberg/onceberg/store"
)

// case A2: no secret is stored, and another caller never gets the answer.
func TestSecretsAreNotStored(t *testing.T) {
	t.Parallel()
	const vended = `{"metadata-location":"s3://w/1","metadata":{"snapshot-id":9007199254740993,"a":"<&>"},` +
		`"config":{"s3.access-key-id":"AKIA1","s3.secret-access-key":"hush","client.region":"eu","s3.session-token":"hush"},` +
		`"storage-credentials":[{"prefix":"s3://w","config":{"s3.secret-access-key":"hush"}}]}`
	d := newDesk(t, answers(200, vended))
	header := http.Header{"X-Iceberg-Access-Delegation": {"vended-credentials"}}
	r := request{key: newKey(), user: "alice", header: header}
	d.send(r).is(200, vended)

	stored := string(d.record(r.key).Outcome.Payload)
	if strings.Contains(stored, "hush") || strings.Contains(stored, "AKIA1") || strings.Contains(stored, "storage-credentials") {
		t.Errorf("stored: %s", stored)
	}
	a := d.send(r).replayed(true)
	want := `{"config":{"client.region":"eu"},"metadata":{"snapshot-id":9007199254740993,"a":"<&>"},"metadata-location":"s3://w/1"}`
	a.is(200, want)

	bob := r
	bob.user = "bob"
	d.send(bob).fails(422, "IdempotencyKeyReusedException")
	d.ran(1)
}

func TestCutSecrets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		secrets []runtime.Secret
		body    string
		stored  string
		kind    store.Kind
	}{
		{"nothing to cut keeps every byte", []runtime.Secret{{Pointer: "/token"}}, "{ \"b\": 1.50,\n\"a\" :2}", "{ \"b\": 1.50,\n\"a\" :2}", store.KindBody},
		{"a field", []runtime.Secret{{Pointer: "/token"}}, `{"token":"x","n":1e400}`, `{"n":1e400}`, store.KindBody},
		{"null has nothing to hide", []runtime.Secret{{Pointer: "/token"}}, `{ "token":null}`, `{ "token":null}`, store.KindBody},
		{"an escaped name", []runtime.Secret{{Pointer: "/token"}}, `{"\u0074oken":"x"}`, `{}`, store.KindBody},
		{"deep", []runtime.Secret{{Pointer: "/a/b"}}, `{"a":{"b":"x","c":[1]},"b":2}`, `{"a":{"c":[1]},"b":2}`, store.KindBody},
		{"pointer escapes", []runtime.Secret{{Pointer: "/a~1b/c~0d"}}, `{"a/b":{"c~d":1,"e":2}}`, `{"a/b":{"e":2}}`, store.KindBody},
		{"every element", []runtime.Secret{{Pointer: "/l/*/t"}}, `{"l":[{"t":1,"u":2},{"u":3},4]}`, `{"l":[{"u":2},{"u":3},4]}`, store.KindBody},
		{"elements themselves", []runtime.Secret{{Pointer: "/l/*"}}, `{"l":["x",null,"y"]}`, `{"l":[null,null,null]}`, store.KindBody},
		{"every member", []runtime.Secret{{Pointer: "/m/*/t"}}, `{"m":{"a":{"t":1},"b":{"u":2}}}`, `{"m":{"a":{},"b":{"u":2}}}`, store.KindBody},
		{"entries", []runtime.Secret{{Pointer: "/c", Entries: true}}, `{"c":{"a.token":"x","a.url":"y"}}`, `{"c":{"a.url":"y"}}`, store.KindBody},
		{"entries of each", []runtime.Secret{{Pointer: "/l/*/c", Entries: true}}, `{"l":[{"c":{"sas":"x"}},{"c":{"z":"y"}}]}`, `{"l":[{"c":{}},{"c":{"z":"y"}}]}`, store.KindBody},
		{"entries of another type", []runtime.Secret{{Pointer: "/c", Entries: true}}, `{"c":"token=x"}`, `{}`, store.KindBody},
		{"several", []runtime.Secret{{Pointer: "/a"}, {Pointer: "/b"}}, `{"a":1,"b":2,"c":3}`, `{"c":3}`, store.KindBody},
		{"a path that leads nowhere", []runtime.Secret{{Pointer: "/a/b/c"}}, `{"a":"x"}`, `{"a":"x"}`, store.KindBody},
		{"an array", []runtime.Secret{{Pointer: "/token"}}, `[{"token":"x"}]`, ``, store.KindOmitted},
		{"a string", []runtime.Secret{{Pointer: "/token"}}, `"token x"`, ``, store.KindOmitted},
		{"no JSON", []runtime.Secret{{Pointer: "/token"}}, `{"token":"x"`, ``, store.KindOmitted},
		{"no secrets declared", nil, `["x"]`, `["x"]`, store.KindBody},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, answers(200, test.body))
			op := *createTable
			op.Secrets = test.secrets
			d.echo.POST("/v1/x", d.guard.Handler(&op, d.handle))
			key := newKey()
			d.send(request{path: "/v1/x", key: key}).is(200, test.body)
			o := d.record(key).Outcome
			if diff := cmp.Diff(test.stored, string(o.Payload)); diff != "" || o.Kind != test.kind {
				t.Errorf("stored as %s: %s", o.Kind, diff)
			}
		})
	}
}

// The names that Iceberg's clients give to settings, and which of them bear a
// secret.
func TestSecretBearingNames(t *testing.T) {
	t.Parallel()
	secret := []string{
		"token", "TOKEN", "s3.access-key-id", "s3.secret-access-key", "s3.session-token", "s3.sse.key", "gcs.oauth2.token",
		"adls.sas-token.account.dfs.core.windows.net", "adls.auth.shared-key.account.key", "adls.connection-string.sas",
		"credential", "credentials", "oauth2-client-secret", "rest.signer.signature", "password", "jdbc.password",
		"private_key", "client.private-key", "gcs.encryption-key", "gcs.decryption-key", "header.Authorization", "apiKey",
		"accessKey", "bearer", "io.passphrase",
	}
	plain := []string{
		"client.region", "s3.endpoint", "s3.path-style-access", "io-impl", "uri", "warehouse", "s3.signer.uri", "gcs.project-id",
		"write.format.default", "disaster.recovery", "cache-enabled", "s3.delete-enabled", "owner", "prefix", "keyspace", "signer",
	}
	for _, name := range append(secret, plain...) {
		d := newDesk(t, answers(200, `{"config":{"`+name+`":"v"}}`))
		key := newKey()
		d.send(request{key: key})
		kept := strings.Contains(string(d.record(key).Outcome.Payload), name)
		want := !contains(secret, name)
		if kept != want {
			t.Errorf("%s kept: %t; want %t", name, kept, want)
		}
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
