package diff_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator/diff"
)

// doc makes a document of paths and schemas.
func doc(version, paths, components string) []byte {
	text := "openapi: " + version + "\ninfo: {title: T, version: '1'}\npaths:\n" + indent(paths)
	if components != "" {
		text += "components:\n" + indent(components)
	}
	return []byte(text)
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.Trim(text, "\n"), "\n", "\n  ") + "\n"
}

// The operations that schemas are put into: one that receives a Thing, one that
// answers it.
const (
	send = "/send: {post: {operationId: send, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}, responses: {'204': {description: ok}}}}"
	read = "/read: {get: {operationId: read, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}}}"
)

func things(thing string, more ...string) string {
	return "schemas:\n" + indent("Thing: "+thing) + indent(strings.Join(more, "\n"))
}

// post makes a path with one operation; what is given stands in it.
func post(rest string) string {
	return "/x: {post: {operationId: x, " + rest + "}}"
}

const ok = "responses: {'200': {description: ok}}"

type change struct {
	name     string
	old, new []byte
	want     []string
}

// Each case is also read backwards: then every kind turns into its opposite.
func TestChanges(t *testing.T) {
	t.Parallel()
	seen := map[diff.Kind]bool{}
	for _, c := range slices.Concat(operationChanges, parameterChanges, bodyChanges, fieldChanges, typeChanges, unionChanges, inheritedChanges) {
		old, new := analyze(t, "old.yaml", c.old), analyze(t, "new.yaml", c.new)
		d := diff.Compare(old, new)
		if diff := cmp.Diff(c.want, lines(d)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		checkPointers(t, d, old.Read, new.Read)
		checkBackwards(t, c.name, d, diff.Compare(new, old))
		for _, one := range d.Changes {
			seen[one.Kind] = true
			seen[opposite(one.Kind)] = true
		}
	}
	for _, kind := range declaredKinds(t) {
		if !seen[kind] {
			t.Errorf("no case has a change of kind %s", kind)
		}
	}
}

// opposites pairs the words that kinds end in.
var opposites = map[string]string{
	"added": "removed", "gained": "lost", "required": "optional", "nullable": "not-nullable", "deprecated": "deprecation-lifted",
}

func opposite(kind diff.Kind) diff.Kind {
	for a, b := range opposites {
		for _, pair := range [][2]string{{b, a}, {a, b}} {
			if stem, ok := strings.CutSuffix(string(kind), pair[0]); ok {
				return diff.Kind(stem + pair[1])
			}
		}
	}
	return kind
}

// checkBackwards compares the kinds of a comparison with those of the opposite
// one.
func checkBackwards(t *testing.T, name string, forth, back diff.Diff) {
	t.Helper()
	want, got := map[diff.Kind]int{}, map[diff.Kind]int{}
	for _, c := range forth.Changes {
		want[opposite(c.Kind)]++
	}
	for _, c := range back.Changes {
		got[c.Kind]++
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s, backwards (-want +got):\n%s", name, d)
	}
}

// declaredKinds reads the constants of type Kind from the source.
func declaredKinds(t *testing.T) []diff.Kind {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[diff.Kind]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); ok && name.Name == "Kind" {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			kinds[diff.Kind(value)] = true
		}
		return true
	})
	if len(kinds) < 30 {
		t.Fatalf("only %d kinds found", len(kinds))
	}
	return slices.Sorted(maps.Keys(kinds))
}
