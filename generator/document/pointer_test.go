package document_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/generator/document"
)

func TestPointer(t *testing.T) {
	t.Parallel()
	p := document.Pointer("").To("paths", "/a~b/{c}").Index(0).To("")
	if want := document.Pointer("/paths/~1a~0b~1{c}/0/"); p != want {
		t.Errorf("%s, want %s", p, want)
	}
	if p.Ref() != "#"+string(p) || p.Last() != "" || document.Pointer("").Last() != "" {
		t.Errorf("%s, %q", p.Ref(), p.Last())
	}
}

// RFC 6901: whatever the names, the steps of a pointer are those it was made of.
func TestPointerTokens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.StringOf(rapid.SampledFrom([]rune("a~/01{ü")))).Draw(t, "names")
		if got := document.Pointer("").To(names...).Tokens(); !slices.Equal(got, names) {
			t.Errorf("%q became %q", names, got)
		}
	})
}

func TestLookup(t *testing.T) {
	t.Parallel()
	d, err := document.Parse("api.yaml", []byte("a/b: [x, {'': y, '0': z}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[document.Pointer]string{
		"/a~1b/0": "x", "/a~1b/1/": "y", "/a~1b/1/0": "z", "/a/b/0": "", "/a~1b/2": "", "/a~1b/-1": "", "/a~1b/x": "", "/a~1b/0/0": "",
	} {
		if got := d.Lookup(pointer).Str(); got != want {
			t.Errorf("%s: %q, want %q", pointer, got, want)
		}
	}
	if d.Lookup("") != d.Root {
		t.Error("the empty pointer is not the root")
	}
}
