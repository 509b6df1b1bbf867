package auth_test

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/onceberg/onceberg/cmd/server/auth"
	"github.com/onceberg/onceberg/cmd/server/settings"
)

func hashed(secret string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(secret))) }

func TestStaticTokens(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "# who may call\n\n"+hashed("one")+"  ann\n"+hashed("two")+"\tbob the second\r\n"+hashed("")+" nobody\n")
	d := open(t, settings.Auth{Type: settings.AuthTokens, TokensFile: file}, time.Now)
	for token, want := range map[string]string{"one": "ann", " one": "ann", "two": "bob the second"} {
		if status, text, _ := d.knock(token); status != 200 || text != want {
			t.Errorf("%q: %d %s", token, status, text)
		}
	}
	for _, token := range []string{"", "three", "One", hashed("one")} {
		if status, text, header := d.knock(token); status != 401 || !strings.HasPrefix(header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%q: %d %s", token, status, text)
		}
	}
}

func TestNobodyIsAsked(t *testing.T) {
	t.Parallel()
	d := open(t, settings.Auth{Type: settings.AuthNone}, time.Now)
	if status, text, _ := d.knock("anything"); status != 200 || text != "" || d.Authorizer() != nil || d.Grants() {
		t.Errorf("%d %s", status, text)
	}
}

// A file that is read again counts at once, and one that cannot be read not at
// all.
func TestReload(t *testing.T) {
	t.Parallel()
	file := writeFile(t, hashed("one")+" ann\n")
	rules := writeFile(t, "rules: [{principal: ann, actions: [read], namespace: a}]")
	d := open(t, settings.Auth{Type: settings.AuthTokens, TokensFile: file, RulesFile: rules}, time.Now)
	state := func() string {
		one, _, _ := d.knock("one")
		two, _, _ := d.knock("two")
		reads, err1 := d.Authorizer().Allows(t.Context(), "ann", access("read a"))
		writes, err2 := d.Authorizer().Allows(t.Context(), "ann", access("write a"))
		return fmt.Sprint(one, two, reads, writes, err1, err2)
	}
	const before, after = "200 401 true false <nil> <nil>", "401 200 false true <nil> <nil>"
	if got := state(); got != before {
		t.Fatal(got)
	}
	for _, bad := range []string{"one ann\n", hashed("two")} {
		rewrite(t, file, bad)
		rewrite(t, rules, "rules:\n  - {principal: ann, ")
		err := d.Reload()
		if err == nil || !strings.Contains(err.Error(), "auth.tokens-file: "+file) || !strings.Contains(err.Error(), "auth.rules-file: "+rules) {
			t.Errorf("%q: %v", bad, err)
		}
		if got := state(); got != before {
			t.Error(got)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	rewrite(t, rules, "rules: [{principal: ann, actions: [write], namespace: a}]")
	if err := d.Reload(); err == nil || !strings.Contains(err.Error(), "auth.tokens-file") || strings.Contains(err.Error(), "rules") {
		t.Error(err)
	}
	rewrite(t, file, hashed("two")+" ann\n")
	if err := d.Reload(); err != nil {
		t.Fatal(err)
	}
	if got := state(); got != after {
		t.Error(got)
	}
}

// The last token is revoked by a file that has none any more, and the last client
// with the tokens that were issued to it. The log says so.
func TestLastIsRevoked(t *testing.T) {
	t.Parallel()
	const nobody = "# nobody any more\n"
	tokens, clients := writeFile(t, hashed("one")+" ann\n"), writeFile(t, "etl "+hashed("secret")+" bob\n")
	var log strings.Builder
	s := settings.Auth{Type: settings.AuthTokens, TokensFile: tokens, ClientsFile: clients, TokenLifetime: time.Hour}
	a, err := auth.Open(s, time.Now, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	d := behind(t, a)
	_, body := d.grant(credentials("etl", "secret"))
	issued, _ := body["access_token"].(string)
	for token, who := range map[string]string{"one": "ann", issued: "bob"} {
		if status, text, _ := d.knock(token); status != 200 || text != who {
			t.Errorf("%s before: %d %s", who, status, text)
		}
	}
	if log.String() != "" {
		t.Errorf("too early: %s", &log)
	}
	rewrite(t, tokens, nobody)
	rewrite(t, clients, nobody)
	if err := a.Reload(); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"one", issued} {
		if status, text, _ := d.knock(token); status != 401 {
			t.Errorf("afterwards: %d %s", status, text)
		}
	}
	for _, file := range []string{tokens, clients} {
		if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "file="+file) {
			t.Errorf("the log does not name %s: %s", file, &log)
		}
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	good := hashed("x") + " ann\n"
	for name, c := range map[string]struct {
		content, want string
		in            func(file string) settings.Auth
	}{
		"plain token":       {good + "s3cr3t bob\n", ":2: ", tokensIn},
		"token of nobody":   {hashed("s3cr3t") + "\n", ":1: ", tokensIn},
		"token twice":       {good + "\n" + good, ":3: ", tokensIn},
		"long line":         {strings.Repeat("x", 1<<17), "token too long", tokensIn},
		"plain secret":      {"etl s3cr3t ann\n", ":1: ", clientsIn},
		"client of nobody":  {"etl " + hashed("s3cr3t") + "\n", ":1: ", clientsIn},
		"client twice":      {"etl " + good + "etl " + good, ":2: ", clientsIn},
		"client without id": {good, ":1: ", clientsIn},
		"no key":            {"\n", "no key", keyIn},
		"short key":         {strings.Repeat("k", 32) + "\ns3cr3t\n", ":2: ", keyIn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := writeFile(t, c.content)
			s := c.in(file)
			if s.TokenKeyFile != "" {
				s.ClientsFile = writeFile(t, "etl "+good)
			}
			_, err := auth.Open(s, time.Now, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("%v", err)
			}
		})
	}
}

func tokensIn(file string) settings.Auth {
	return settings.Auth{Type: settings.AuthTokens, TokensFile: file}
}

func clientsIn(file string) settings.Auth {
	return settings.Auth{Type: settings.AuthTokens, ClientsFile: file}
}

func keyIn(file string) settings.Auth {
	return settings.Auth{Type: settings.AuthTokens, TokenKeyFile: file}
}

// Whatever is in the files, nobody comes in without a name.
func FuzzFiles(f *testing.F) {
	f.Add([]byte(hashed("token-of-ann") + " ann"))
	f.Add([]byte("# x\n\nabc def\n"))
	f.Add([]byte("etl " + hashed("token-of-ann") + " ann"))
	f.Fuzz(func(t *testing.T, content []byte) {
		file := writeFile(t, string(content))
		for _, s := range []settings.Auth{tokensIn(file), clientsIn(file)} {
			if a, err := auth.Open(s, time.Now, slog.New(slog.DiscardHandler)); err != nil {
				continue
			} else if err := a.Reload(); err != nil {
				t.Error(err)
			}
			d := open(t, s, time.Now)
			if status, text, _ := d.knock("token-of-ann"); status == http.StatusOK && strings.TrimSpace(text) == "" {
				t.Errorf("nobody came in by %q", content)
			}
		}
	})
}

// What stands in front of the server may have looked at the other one.
func TestTwoTokensAtOnce(t *testing.T) {
	t.Parallel()
	file := writeFile(t, hashed("one")+" ann\n"+hashed("two")+" bob\n")
	d := open(t, settings.Auth{Type: settings.AuthTokens, TokensFile: file}, time.Now)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header["Authorization"] = []string{"Bearer one", "Bearer two"}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "Authorization") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
