package catalog_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/runtime"
)

// keyedServers are one for each way in which keys are honoured.
func keyedServers(t *testing.T, test func(t *testing.T, s server)) {
	t.Parallel()
	for _, mode := range []runtime.Mode{runtime.ModeTwoPhase, runtime.ModeTransactional} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			test(t, listen(t, complete(t, catalog.Config{}, dsns["sqlite"](t)), mode).withNamespace())
		})
	}
}

// A version whose file the table has given up is not known any more, but that its
// commit was applied is: the replay shows the table as it is now.
func TestReplayOfAVersionThatIsGone(t *testing.T) {
	keyedServers(t, func(t *testing.T, s server) {
		create, commit := newKey(), newKey()
		send := map[string]func() answer{
			"create": func() answer {
				return s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"t","schema":`+idSchema+`,"properties":{`+
					`"write.metadata.delete-after-commit.enabled":"true","write.metadata.previous-versions-max":"2"}}`, create...)
			},
			"commit": func() answer { return s.do(http.MethodPost, tablePath("t"), setProperty("a", "b"), commit...) },
		}
		s.must(200, send["create"]())
		old := location(s.must(200, send["commit"]()))
		for _, value := range []string{"1", "2", "3"} {
			s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("later", value)))
		}
		eventually(t, "the old file is still there", func() bool {
			_, err := os.Stat(path(old))
			return os.IsNotExist(err)
		})
		now := s.must(200, s.do(http.MethodGet, tablePath("t"), ""))
		for name, retry := range send {
			a := s.must(200, retry())
			if a.header.Get("Idempotency-Replayed") != "true" || location(a) != location(now) || a.header.Get("ETag") != now.header.Get("ETag") ||
				jsonOf(metadata(a)) != jsonOf(metadata(now)) {
				t.Errorf("%s: %v %s", name, a.header, a.text)
			}
		}
	})
}

// The same goes for views, for registrations and for plans.
func TestReplaysOfFilesThatAreGone(t *testing.T) {
	keyedServers(t, func(t *testing.T, s server) {
		s.must(200, s.createTable("t"))
		first := s.must(200, s.createTable("r"))
		s.must(204, s.do(http.MethodDelete, tablePath("r"), ""))
		calls := map[string]func(key []string) answer{
			"view": func(key []string) answer { return s.createView("v", key...) },
			"register": func(key []string) answer {
				return s.do(http.MethodPost, pathOf("ns")+"/register", registration("r", location(first)), key...)
			},
			"plan": func(key []string) answer { return s.do(http.MethodPost, tablePath("t")+"/plan", `{}`, key...) },
		}
		keys := map[string][]string{}
		for name, send := range calls {
			keys[name] = newKey()
			s.must(200, send(keys[name]))
		}
		old := s.metadataFiles()
		for _, path := range []string{tablePath("t"), tablePath("r"), viewPath("v")} {
			s.must(200, s.do(http.MethodPost, path, setProperty("later", "1")))
		}
		for _, file := range old {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		for name, send := range calls {
			a := s.must(200, send(keys[name]))
			if a.header.Get("Idempotency-Replayed") != "true" || name != "plan" && !strings.Contains(a.text, `"later":"1"`) {
				t.Errorf("%s: %v %s", name, a.header, a.text)
			}
		}
	})
}

// Without anything left to show the answer says that the mutation took place, and
// never what a client would take for its failure; another table of the name is not
// shown, nor the same one under a name that the request does not have.
func TestReplayOfATableThatIsGone(t *testing.T) {
	keyedServers(t, func(t *testing.T, s server) {
		create, commit := newKey(), newKey()
		check := func(when string) {
			t.Helper()
			for name, c := range map[string]struct {
				a         answer
				errorType string
			}{
				"create": {s.createTable("t", create...), "InternalServerException"},
				"commit": {s.do(http.MethodPost, tablePath("t"), setProperty("a", "b"), commit...), "CommitStateUnknownException"},
			} {
				if c.a.status != 500 || !strings.HasPrefix(c.a.message(), c.errorType+": This request was executed before and is not executed again") {
					t.Errorf("%s, %s: %d %s", when, name, c.a.status, c.a.text)
				}
			}
		}
		s.must(200, s.createTable("t", create...))
		s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("a", "b"), commit...))
		old := s.metadataFiles()
		s.must(200, s.do(http.MethodPost, tablePath("t"), setProperty("later", "1")))
		for _, file := range old {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		s.must(204, s.do(http.MethodPost, "/v1/tables/rename", renaming("t", "t2")))
		check("renamed")
		s.must(204, s.do(http.MethodDelete, tablePath("t2")+"?purgeRequested=true", ""))
		eventually(t, "the files are still there", func() bool { return len(s.metadataFiles()) == 0 })
		check("purged")
		s.must(200, s.createTable("t"))
		check("created anew")
	})
}

// Storage that is out of reach only delays a replay: nothing is known of the file,
// and no other version is shown.
func TestReplayWithoutStorage(t *testing.T) {
	registerFlaky()
	keyedServers(t, func(t *testing.T, s server) {
		bucket := "replay-" + strings.ToLower(t.Name()[strings.LastIndex(t.Name(), "/")+1:])
		key := newKey()
		create := func() answer {
			return s.do(http.MethodPost, pathOf("ns")+"/tables", `{"name":"t","location":"flaky://`+bucket+`/t","schema":`+idSchema+`}`, key...)
		}
		first := s.must(200, create())
		bucketOf(bucket).off.Store(true)
		if a := s.must(503, create()); a.header.Get("Retry-After") == "" {
			t.Errorf("%v %s", a.header, a.text)
		}
		bucketOf(bucket).off.Store(false)
		if a := s.must(200, create()); a.text != first.text {
			t.Errorf("%s, first %s", a.text, first.text)
		}
	})
}
