package diff

import (
	"maps"
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// fields compares the fields of two objects.
func (w walker) fields(before, after *shape, common bases) {
	for _, was := range before.fields {
		if after.field(was.name) == nil && !common[was.owner] && !toldApartBy(was.name, before, after) {
			w.found(FieldRemoved, gone, was.spot.at, "%s is gone; it was %s", w.into(was.name).subject(), before.words(w.c.old, was))
		}
	}
	for _, is := range after.fields {
		was := before.field(is.name)
		if was != nil {
			w.field(*was, is, before, after, common)
			continue
		}
		if common[is.owner] || toldApartBy(is.name, before, after) {
			continue
		}
		e := harmless
		if after.requires(is.name) {
			e = narrowed
		}
		w.found(FieldAdded, e, is.spot.at, "%s is new: %s", w.into(is.name).subject(), after.words(w.c.new, is))
	}
	w.undescribed(before, after, common)
}

// toldApartBy reports whether a name is that of the discriminating property,
// which is there whether or not it is described.
func toldApartBy(name string, before, after *shape) bool {
	return name == before.by && name == after.by
}

func (w walker) field(was, is field, before, after *shape, common bases) {
	inner := w.into(is.name)
	if !common.tell(append(before.required[is.name], after.required[is.name]...)...) {
		inner.requiredness(before.requires(is.name), after.requires(is.name), is.spot.at)
	}
	if was.owner != is.owner || !common[is.owner] {
		inner.schema(was.spot, is.spot)
	}
}

// undescribed looks at names that a schema requires without saying what they
// hold.
func (w walker) undescribed(before, after *shape, common bases) {
	names := maps.Clone(before.required)
	maps.Copy(names, after.required)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before.field(name) != nil || after.field(name) != nil {
			continue
		}
		if common.tell(append(slices.Clone(before.required[name]), after.required[name]...)...) {
			continue
		}
		w.into(name).requiredness(before.requires(name), after.requires(name), after.at.at)
	}
}

func (sh *shape) requires(name string) bool { return len(sh.required[name]) > 0 }

// words describes a field.
func (sh *shape) words(s side, f field) string {
	if sh.requires(f.name) {
		return "required, " + s.describe(f.spot)
	}
	return "optional, " + s.describe(f.spot)
}

// variants compares what a discriminator's values stand for.
func (w walker) variants(before, after *shape) {
	if before.by != after.by && (len(before.variants) > 0 || len(after.variants) > 0) {
		w.told(before.by, after.by, after.at.at)
		return
	}
	for _, was := range before.variants {
		switch {
		case slices.ContainsFunc(after.variants, was.is):
		case after.implies(was.ref):
			w.found(ConstraintChanged, harmless, after.at.at, "%s no longer says that %s stands for %s", w.subject(), was.value, named(was.ref))
		default:
			w.found(VariantRemoved, narrowed, was.spot.at, "%s no longer has the variant %s, %s", w.subject(), was.value, named(was.ref))
		}
	}
	for _, is := range after.variants {
		i := slices.IndexFunc(before.variants, is.is)
		was := is
		switch {
		case i >= 0:
			was = before.variants[i]
		case before.implies(is.ref):
			w.found(ConstraintChanged, harmless, is.spot.at, "%s says that %s stands for %s now", w.subject(), is.value, named(is.ref))
		default:
			w.found(VariantAdded, widened, is.spot.at, "%s has the variant %s now, %s", w.subject(), is.value, named(is.ref))
			continue
		}
		w.into("("+is.value+")").schema(reference(was), reference(is))
	}
}

// implies reports whether a schema is an arm whose discriminating value is not
// spelled out.
func (sh *shape) implies(ref document.Pointer) bool {
	return leadsTo(sh.arms, ref) && !sh.names(ref)
}

func (v variant) is(other variant) bool { return v.value == other.value }

// reference writes a variant as what it is: a reference to a schema.
func reference(v variant) spot {
	return spot{v.spot.at, document.NewObject("$ref", v.ref.Ref())}
}

// told compares how variants are told apart.
func (w walker) told(was, is string, at document.Pointer) {
	switch {
	case was == "":
		w.found(ConstraintChanged, harmless, at, "%s is told apart by %s now", w.subject(), is)
	case is == "":
		w.found(ConstraintChanged, harmless, at, "%s is no longer told apart by %s", w.subject(), was)
	default:
		w.found(TypeChanged, replaced, at, "%s is told apart by %s now, by %s before", w.subject(), is, was)
	}
}
