package catalog_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog"
)

// model says what a catalog of namespaces should do: a flat map by joined name,
// with none of the implementation's structure.
type model map[string]map[string]string

const joint = "\x1f"

// below are the names of a parent's direct children, implicit ones included.
func (m model) below(parent string) []string {
	found := map[string]bool{}
	for name := range m {
		rest, ok := strings.CutPrefix(name, parent+joint)
		if parent == "" {
			rest, ok = name, true
		}
		if ok {
			child, _, _ := strings.Cut(rest, joint)
			found[child] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func (m model) create(name string, properties map[string]string) int {
	if m[name] != nil {
		return http.StatusConflict
	}
	m[name] = properties
	return http.StatusOK
}

func (m model) drop(name string) int {
	switch {
	case m[name] == nil:
		return http.StatusNotFound
	case len(m.below(name)) > 0:
		return http.StatusConflict
	}
	delete(m, name)
	return http.StatusNoContent
}

func (m model) update(name string, removals []string, updates map[string]string) int {
	for _, key := range removals {
		if _, both := updates[key]; both {
			return http.StatusUnprocessableEntity
		}
	}
	if m[name] == nil {
		return http.StatusNotFound
	}
	for _, key := range removals {
		delete(m[name], key)
	}
	maps.Copy(m[name], updates)
	return http.StatusOK
}

func (m model) load(name string) int {
	if m[name] == nil {
		return http.StatusNotFound
	}
	return http.StatusOK
}

var (
	levelGen    = rapid.SampledFrom([]string{"a", "b", "a.b", "x/y", "%1F", "ü +"})
	nameGen     = rapid.SliceOfN(levelGen, 1, 3)
	keyGen      = rapid.SampledFrom([]string{"k", "l", "m"})
	settingsGen = rapid.MapOfN(keyGen, rapid.StringMatching(`[a-z ü]{0,3}`), 0, 3)
)

func TestCatalogAgainstModel(t *testing.T) {
	t.Parallel()
	base := serve(t, catalog.Config{})
	rapid.Check(t, func(rt *rapid.T) {
		s := base
		s.fatal = rt
		s.clear()
		m := model{}
		rt.Repeat(map[string]func(*rapid.T){
			"create": func(rt *rapid.T) {
				levels, properties := nameGen.Draw(rt, "name"), settingsGen.Draw(rt, "properties")
				a := s.do(http.MethodPost, "/v1/namespaces", jsonOf(map[string]any{"namespace": levels, "properties": properties}))
				expect(rt, a, m.create(strings.Join(levels, joint), properties))
			},
			"drop": func(rt *rapid.T) {
				levels := nameGen.Draw(rt, "name")
				expect(rt, s.do(http.MethodDelete, pathOf(levels...), ""), m.drop(strings.Join(levels, joint)))
			},
			"update": func(rt *rapid.T) {
				levels := nameGen.Draw(rt, "name")
				removals, updates := rapid.SliceOfN(keyGen, 0, 2).Draw(rt, "removals"), settingsGen.Draw(rt, "updates")
				a := s.do(http.MethodPost, pathOf(levels...)+"/properties",
					jsonOf(map[string]any{"removals": removals, "updates": updates}))
				expect(rt, a, m.update(strings.Join(levels, joint), removals, updates))
			},
			"load": func(rt *rapid.T) {
				levels := nameGen.Draw(rt, "name")
				name := strings.Join(levels, joint)
				a := s.do(http.MethodGet, pathOf(levels...), "")
				expect(rt, a, m.load(name))
				if want := jsonOf(map[string]any{"namespace": levels, "properties": m[name]}); a.status == 200 && a.text != want {
					rt.Fatalf("load %q: %s, want %s", levels, a.text, want)
				}
			},
			"": func(rt *rapid.T) {
				levels := rapid.SliceOfN(levelGen, 0, 2).Draw(rt, "parent")
				parent, want := strings.Join(levels, joint), []string(nil)
				for _, child := range m.below(parent) {
					want = append(want, strings.Join(append(slices.Clone(levels), child), "|"))
				}
				names, _, a := s.list("?parent=" + url.QueryEscape(parent))
				if want == nil && m[parent] == nil && len(levels) > 0 {
					expect(rt, a, http.StatusNotFound)
				} else if !cmp.Equal(names, want) {
					rt.Fatalf("list %q: %q, want %q", levels, names, want)
				}
			},
		})
	})
}

func expect(rt *rapid.T, a answer, status int) {
	if a.status != status {
		rt.Fatalf("answered %d %s, want %d", a.status, a.text, status)
	}
}

// clear drops whatever is there, children first.
func (s server) clear() {
	var drop func(levels []string)
	drop = func(levels []string) {
		names, _, _ := s.list("?parent=" + url.QueryEscape(strings.Join(levels, joint)))
		for _, name := range names {
			drop(strings.Split(name, "|"))
		}
		if len(levels) > 0 {
			s.do(http.MethodDelete, pathOf(levels...), "")
		}
	}
	drop(nil)
}

// Of many that create the same namespace one succeeds, and what others do at the
// same time, to it and beside it, is not lost.
func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	const callers = 16
	created := make(chan int, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			own := string(rune('a' + i))
			created <- s.create("shared", "one").status
			s.do(http.MethodPost, pathOf("shared", "one")+"/properties", jsonOf(map[string]any{"updates": map[string]string{own: own}}))
			s.create("shared", "of-"+own)
			s.list("?parent=shared")
			s.do(http.MethodDelete, pathOf("shared", "of-"+own), "")
		})
	}
	wg.Wait()
	close(created)
	count := map[int]int{}
	for status := range created {
		count[status]++
	}
	if count[200] != 1 || count[409] != callers-1 {
		t.Errorf("statuses of the creates: %v", count)
	}
	properties, _ := s.do(http.MethodGet, pathOf("shared", "one"), "").body["properties"].(map[string]any)
	if len(properties) != callers {
		t.Errorf("%d of %d updates are there: %v", len(properties), callers, properties)
	}
	if names, _, _ := s.list("?parent=shared"); !cmp.Equal(names, []string{"shared|one"}) {
		t.Errorf("left over: %q", names)
	}
}
