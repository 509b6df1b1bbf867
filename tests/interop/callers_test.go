//go:build interop

package interop

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// caller is somebody whom a server knows: by a token, and by the id and secret of
// a client that gets tokens at its token endpoint.
type caller struct{ name, token, id, secret string }

func newCaller(name string) caller {
	return caller{name: name, token: rand.Text(), id: name + "-client", secret: rand.Text()}
}

func (c caller) credential() string { return c.id + ":" + c.secret }

// everybody are the callers of these rules.
func everybody() []caller {
	return []caller{newCaller("alice"), newCaller("bob"), newCaller("carol")}
}

// rules let alice and carol do everything, and bob little.
const rules = `rules:
  - {principal: alice, actions: ["*"], namespace: "**"}
  - {principal: carol, actions: ["*"], namespace: "**"}
  - {principal: bob, actions: [list], namespace: "**"}
  - {principal: bob, actions: [read], namespace: "**", name: "open_*"}
  - {principal: bob, actions: [read, write], namespace: "**", name: "shared_*"}
`

// known starts a server that knows the callers.
func known(t *testing.T, r run, callers []caller) server {
	t.Helper()
	var tokens, clients strings.Builder
	for _, c := range callers {
		fmt.Fprintf(&tokens, "%s %s\n", digest(c.token), c.name)
		fmt.Fprintf(&clients, "%s %s %s\n", c.id, digest(c.secret), c.name)
	}
	folder := t.TempDir()
	return secured(t, r, "known", "--auth.type=tokens",
		"--auth.tokens-file="+write(t, folder, "tokens", tokens.String()),
		"--auth.clients-file="+write(t, folder, "clients", clients.String()),
		"--auth.token-key-file="+write(t, folder, "key", rand.Text()+rand.Text()+"\n"))
}

// secured starts a server with rules, of the run's subject and beside the run's
// own.
func secured(t *testing.T, r run, name string, settings ...string) server {
	t.Helper()
	r.dir = filepath.Join(r.dir, name)
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.settings = append(settings, "--auth.rules-file="+write(t, t.TempDir(), "rules.yaml", rules))
	return r.subject.start(t, r)
}

func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func write(t *testing.T, folder, name, content string) string {
	t.Helper()
	file := filepath.Join(folder, name)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
