package auth_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog"
	"github.com/onceberg/onceberg/cmd/server/auth"
)

func rulesOf(t *testing.T, text string) *auth.Rules {
	t.Helper()
	rules, err := auth.ParseRules([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// access reads "drop sales|eu orders" or "list sales|eu"; "-" is the root.
func access(text string) catalog.Access {
	words := append(strings.Split(text, " "), "")
	a := catalog.Access{Action: catalog.Action(words[0]), Name: words[2]}
	if words[1] != "-" {
		a.Namespace = strings.Split(words[1], "|")
	}
	return a
}

func TestRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ allowed, refused []string }{
		`{principal: ann, actions: [read, drop], namespace: sales}`: {
			[]string{"read sales", "read sales t", "drop sales t", "drop sales"},
			[]string{"write sales t", "list sales", "read sales|eu t", "read Sales t", "read - t", "read -", "read sale t", "read salesx t"},
		},
		`{principal: ann, actions: ["*"], namespace: sales.*}`: {
			[]string{"read sales|eu t", "create sales|eu", "list sales|", "list sales|e.u"},
			[]string{"read sales t", "list sales", "read sales|eu|x t", "list -"},
		},
		`{principal: ann, actions: [read], namespace: sales.**}`: {
			[]string{"read sales t", "read sales|eu t", "read sales|eu|x|y t"}, []string{"read - t", "read other t", "read sales2|eu t"},
		},
		`{principal: ann, actions: [list], namespace: "**"}`: {[]string{"list -", "list a", "list a|b"}, []string{"read a"}},
		`{principal: ann, actions: [list], namespace: []}`:   {[]string{"list -"}, []string{"list a"}},
		`{principal: ann, actions: [read], namespace: ["a.b", "*"]}`: {
			[]string{"read a.b|c"}, []string{"read a|b", "read a|b|c", "read a.b"},
		},
		`{principal: ann, actions: [read], namespace: a.b}`: {[]string{"read a|b"}, []string{"read a.b"}},
		`{principal: ann, actions: [read], namespace: sales, name: m*_y*}`: {
			[]string{"read sales m_y", "read sales monthly_y2026"}, []string{"read sales", "read sales m_", "read sales xm_y", "read sales|eu m_y"},
		},
		`{principal: ann, actions: [read], namespace: sales, name: "*"}`: {[]string{"read sales t"}, []string{"read sales"}},
		`{principal: bob, actions: ["*"], namespace: "**"}`:              {nil, []string{"read a", "list -"}},
		`{principal: "*", actions: [read], namespace: a}`:                {[]string{"read a"}, []string{"write a"}},
		`{principal: ann, actions: [read], namespace: 2026, name: 01}`:   {[]string{"read 2026 01"}, []string{"read 2026 1"}},
	} {
		rules := rulesOf(t, "rules:\n  - "+text)
		for _, a := range want.allowed {
			if !rules.Allows("ann", access(a)) {
				t.Errorf("%s does not allow %s", text, a)
			}
		}
		for _, a := range want.refused {
			if rules.Allows("ann", access(a)) {
				t.Errorf("%s allows %s", text, a)
			}
		}
	}
}

// Rules add up; who has no name, or the name of everybody, has no other's rights.
func TestPrincipals(t *testing.T) {
	t.Parallel()
	rules := rulesOf(t, `rules:
  - {principal: ann, actions: [read], namespace: a}
  - {principal: ann, actions: [write], namespace: b}
  - {principal: "*", actions: [list], namespace: "**"}
`)
	for principal, allowed := range map[string][]string{
		"ann": {"read a", "write b", "list c"}, "": {"list c"}, "*": {"list c"}, "bob": {"list c"}, "Ann": {"list c"},
	} {
		got := ""
		for _, a := range []string{"read a", "write a", "read b", "write b", "list c"} {
			if rules.Allows(principal, access(a)) {
				got += a + ","
			}
		}
		if want := strings.Join(allowed, ",") + ","; got != want {
			t.Errorf("%q may %s", principal, got)
		}
	}
	if rulesOf(t, "rules: []").Allows("ann", access("list -")) {
		t.Error("no rules allow something")
	}
}

func TestBadRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "one key, rules",
		"# nothing\n":                    "one key, rules",
		"rules:\n":                       "one key, rules",
		"rules: 7\n":                     "one key, rules",
		"rule: []\n":                     "one key, rules",
		"rules: []\nrules: []\n":         "one key, rules",
		"rules: []\n---\nrules: []\n":    "more than one document",
		"rules: []\n---\n{":              "more than one document",
		"- rules\n- []\n":                "one key, rules",
		"rules: [\n":                     "line 1",
		"rules:\n  - ann\n":              ":2: a rule must be a mapping",
		"rules:\n  - {}\n":               ":2: a rule needs the key principal",
		"rules:\n  - {principal: ann}\n": "the key actions",
		"rules:\n  - {principal: ann, actions: [read]}\n":                                          "the key namespace",
		"rules:\n\n  - {principal: ann, actions: [raed], namespace: a}\n":                          ":3: actions: there is no action raed",
		"rules:\n  - {principal: ann, actions: [], namespace: a}\n":                                "must not be empty",
		"rules:\n  - {principal: ann, actions: read, namespace: a}\n":                              "must be a list",
		"rules:\n  - {principal: ann, actions: [[read]], namespace: a}\n":                          "element 1",
		"rules:\n  - {principal: ann, actions: [read], namespace: }\n":                             "namespace: must be levels",
		"rules:\n  - {principal: ann, actions: [read], namespace: \"\"}\n":                         "namespace: must be levels",
		"rules:\n  - {principal: ann, actions: [read], namespace: a..b}\n":                         "empty level",
		"rules:\n  - {principal: ann, actions: [read], namespace: a.**.b}\n":                       "last level",
		"rules:\n  - {principal: ann, actions: [read], namespace: a.x**}\n":                        "last level",
		"rules:\n  - {principal: ann, actions: [read], namespace: {a: b}}\n":                       "namespace: must be levels",
		"rules:\n  - {principal: ann, actions: [read], namespace: a, name: }\n":                    "name: must be a text",
		"rules:\n  - {principal: ann, actions: [read], namespace: a, label: t}\n":                  "label: a rule has no such key",
		"rules:\n  - {principal: ann, actions: [read], namespace: a, namespace: b}\n":              "twice",
		"rules:\n  - {principal: \"\", actions: [read], namespace: a}\n":                           "principal: must be a text",
		"rules:\n  - {principal: [ann], actions: [read], namespace: a}\n":                          "principal: must be a text",
		"x: &r {principal: ann, actions: [read], namespace: a}\nrules:\n  - {<<: *r, name: \"*\"}": "one key, rules",
	} {
		if _, err := auth.ParseRules([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
}

// A pattern means what the regular expression means that one would write for it.
func TestPatterns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*.]{1,8}`).Filter(func(p string) bool { return !strings.Contains(p, "**") }).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab.*]{1,10}`).Draw(t, "name")
		rules, err := auth.ParseRules([]byte(`{rules: [{principal: p, actions: [read], namespace: [n], name: "` + pattern + `"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		same := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$")
		if got := rules.Allows("p", catalog.Access{Action: "read", Namespace: []string{"n"}, Name: name}); got != same.MatchString(name) {
			t.Fatalf("%v", got)
		}
	})
}

// Whatever is taken for rules allows nobody something who is not in them, and
// nothing that nobody wrote.
func FuzzRules(f *testing.F) {
	f.Add([]byte("rules:\n  - principal: ann\n    actions: [read]\n    namespace: a.**\n    name: t*\n"))
	f.Add([]byte(`{rules: [{principal: "*", actions: ["*"], namespace: [a.b, "**"]}]}`))
	f.Add([]byte("rules: []"))
	f.Fuzz(func(t *testing.T, content []byte) {
		rules, err := auth.ParseRules(content)
		if err != nil {
			return
		}
		if !strings.Contains(string(content), "stranger") && !strings.ContainsAny(string(content), `*\&!`) &&
			rules.Allows("stranger", catalog.Access{Action: catalog.ActionRead, Namespace: []string{"a"}, Name: "t"}) {
			t.Errorf("a stranger may read by %q", content)
		}
		if rules.Allows("", catalog.Access{Action: "unheard of", Namespace: []string{"a"}}) && !strings.ContainsAny(string(content), `*\`) {
			t.Errorf("everything is allowed by %q", content)
		}
	})
}
