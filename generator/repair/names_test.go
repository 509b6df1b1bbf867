package repair_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator/repair"
)

// Case B5: names are the same in every run, and an unrelated schema, wherever it
// is added, changes none.
func TestNamesAreStable(t *testing.T) {
	t.Parallel()
	const colliding = `A: {type: object, properties: {kind: {type: string, enum: [x, y]}, a: {$ref: "#/components/schemas/a"}, k: {$ref: "#/components/schemas/AKind"}}}
a: {type: string}
AKind: {type: object, properties: {n: {type: string}}}
Register: {type: string}
`
	want := names(t, schemas("3.1.0", colliding))
	for _, source := range []string{
		schemas("3.1.0", colliding),
		schemas("3.1.0", "Unrelated: {type: object, properties: {kind: {type: string, enum: [x, y, z]}}}\n"+colliding),
		schemas("3.1.0", colliding+"Unrelated: {type: object, properties: {kind: {type: string, enum: [x, y, z]}}}\n"),
	} {
		got := slices.DeleteFunc(names(t, source), func(name string) bool { return name == "Unrelated" })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	if diff := cmp.Diff([]string{"A", "AKind", "AKindInline", "RegisterSchema", "aSchema"}, want); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func names(t *testing.T, source string) []string {
	t.Helper()
	d := parse(t, source)
	if _, err := repair.Apply(d, repair.Options{}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range d.Root.At("components", "schemas").Members() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
