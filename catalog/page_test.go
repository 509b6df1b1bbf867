package catalog_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/catalog"
)

// pages follows the tokens to the end.
func (s server) pages(query string, size int) (pages [][]string) {
	token := ""
	for {
		names, next, a := s.list(fmt.Sprintf("?%spageSize=%d&pageToken=%s", query, size, url.QueryEscape(token)))
		if a.status != http.StatusOK {
			s.fatal.Fatalf("page after %q: %d %s", token, a.status, a.text)
		}
		pages = append(pages, names)
		if _, there := a.body["next-page-token"]; !there {
			return pages
		}
		if next == "" {
			s.fatal.Fatalf("an empty token makes clients loop forever: %s", a.text)
		}
		token = next
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	for _, name := range []string{"e", "b", "ü", "a", "d", "c"} {
		s.create("p", name)
		s.create(name)
	}
	want := [][]string{{"a", "b", "c"}, {"d", "e", "p"}, {"ü"}}
	if got := s.pages("", 3); !cmp.Equal(got, want) {
		t.Errorf("pages of three: %q", got)
	}
	want = [][]string{{"p|a", "p|b", "p|c"}, {"p|d", "p|e", "p|ü"}}
	if got := s.pages("parent=p&", 3); !cmp.Equal(got, want) {
		t.Errorf("no empty last page: %q", got)
	}
	all := []string{"p|a", "p|b", "p|c", "p|d", "p|e", "p|ü"}
	for _, query := range []string{"", "&pageSize=2", "&pageToken=", "&pageToken=&pageSize=100"} {
		names, next, a := s.list("?parent=p" + query)
		if _, there := a.body["next-page-token"]; !cmp.Equal(names, all) || next != "" || there {
			t.Errorf("%q gives everything at once: %s", query, a.text)
		}
	}
}

// What comes and goes between two pages disturbs neither.
func TestPagesWhileNamespacesChange(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	for _, name := range []string{"b", "d", "f"} {
		s.create(name)
	}
	_, next, _ := s.list("?pageSize=2&pageToken=")
	for _, name := range []string{"b", "d"} {
		s.do(http.MethodDelete, pathOf(name), "")
	}
	s.create("a")
	s.create("e")
	if names, _, _ := s.list("?pageSize=9&pageToken=" + next); !cmp.Equal(names, []string{"e", "f"}) {
		t.Errorf("second page: %q", names)
	}
	for _, name := range []string{"e", "f"} {
		s.do(http.MethodDelete, pathOf(name), "")
	}
	if names, again, a := s.list("?pageSize=9&pageToken=" + next); a.status != 200 || names != nil || again != "" {
		t.Errorf("a token past the end: %d %s", a.status, a.text)
	}
}

func TestBadPages(t *testing.T) {
	t.Parallel()
	s := serve(t, catalog.Config{})
	for _, name := range []string{"aa", "bb", "cc"} {
		s.create(name)
		s.create("p", name)
	}
	_, token, _ := s.list("?pageSize=1&pageToken=")
	for _, query := range []string{
		"pageSize=0", "pageSize=-1", "pageSize=x", "pageSize=", "pageSize=99999999999999999999", "pageToken=&pageSize=0",
		"pageToken=nonsense", "pageToken=%20", "pageToken=AAAA", "pageToken=" + token[:len(token)-1], "pageToken=" + token + "A",
		"pageToken=" + url.QueryEscape(token+"="), "parent=p&pageToken=" + token,
	} {
		if _, _, a := s.list("?" + query); a.status != 400 {
			t.Errorf("%s: %d %s", query, a.status, a.text)
		}
	}
}
