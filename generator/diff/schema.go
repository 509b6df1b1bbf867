package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// maxNesting ends the walk through schemas that lead into themselves without
// any data between, such as a union that is its own arm.
const maxNesting = 200

// schema compares the schemas that stand at two places. Two references to one
// component are compared there; anything else here.
func (w walker) schema(o, n spot) {
	w.depth++
	if w.depth > maxNesting || w.trial != nil && w.trial.differs {
		return
	}
	was, is := peel(o), peel(n)
	if was.ref != "" && is.ref != "" {
		w.facts(was.shaped, is.shaped, nil, n.at)
		w.references(was, is)
		return
	}
	before, after := w.c.old.shape(was.spot), w.c.new.shape(is.spot)
	for keyword, f := range was.shaped {
		before.facts[keyword] = f
	}
	for keyword, f := range is.shaped {
		after.facts[keyword] = f
	}
	w.shapes(before, after)
}

// references compares two references.
func (w walker) references(was, is use) {
	switch {
	case was.ref == is.ref:
		w.enter(sharedKey{was.ref, is.ref, schemaPart}, func(inner walker) { inner.component(was.ref, is.ref) })
	case w.alike(was, is):
		w.renamed(was.ref, is.ref)
	case w.trial == nil && w.c.rename(was.ref, is.ref):
		w.renamed(was.ref, is.ref)
	default:
		w.found(TypeChanged, w.c.replacement(was, is), is.at, "%s is %s now, %s before", w.subject(), named(is.ref), named(was.ref))
	}
}

// renamed compares a component with the one that took its place.
func (w walker) renamed(was, is document.Pointer) {
	w.enter(sharedKey{was, is, schemaPart}, func(inner walker) {
		inner.found(SchemaRenamed, recoded, is, "%s is called %s now", named(was), named(is))
		inner.component(was, is)
	})
}

// component compares a component schema. What a base with a discriminator says
// itself goes into a part of its own: a schema that extends the base has that,
// but not the base's variants.
func (w walker) component(was, is document.Pointer) {
	o, n := w.c.old.spot(was), w.c.new.spot(is)
	if !o.node.Has("discriminator") && !n.node.Has("discriminator") {
		w.schema(o, n)
		return
	}
	before, after := w.c.old.shape(o), w.c.new.shape(n)
	if w.unions(before, after, nil) {
		w.variants(before, after)
		w.inherited(was, is)
	}
}

// inherited compares what extenders of a component have from it.
func (w walker) inherited(was, is document.Pointer) {
	o, n := w.c.old.spot(was), w.c.new.spot(is)
	if !o.node.Has("discriminator") && !n.node.Has("discriminator") {
		w.enter(sharedKey{was, is, schemaPart}, func(inner walker) { inner.component(was, is) })
		return
	}
	w.enter(sharedKey{was, is, basePart}, func(inner walker) {
		inner.shapes(w.c.old.baseShape(o), w.c.new.baseShape(n))
	})
}

// replacement says what it means that one component takes the place of another:
// a union that has the other as an arm only adds to it.
func (c *comparer) replacement(was, is use) effect {
	for _, arm := range c.new.shape(is.spot).arms {
		if ref, _ := arm.node.Ref(); ref == was.ref {
			return widened
		}
	}
	for _, arm := range c.old.shape(was.spot).arms {
		if ref, _ := arm.node.Ref(); ref == is.ref {
			return narrowed
		}
	}
	return replaced
}

// shapes compares two schemas that are not told of elsewhere, but for what they
// have from bases that both extend.
func (w walker) shapes(before, after *shape) {
	common := bases{}
	for _, base := range after.bases {
		if slices.Contains(before.bases, base) {
			common[base] = true
			w.inherited(base, base)
		}
	}
	if !w.unions(before, after, common) || !w.types(before, after, common) {
		return
	}
	w.facts(before.facts, after.facts, common, after.at.at)
	w.enums(before, after, common)
	w.variants(before, after)
	w.fields(before, after, common)
	w.nested(before.items, after.items, common, "items", "[]", after.at.at)
	w.nested(before.values, after.values, common, "additionalProperties", "{}", after.at.at)
}

// bases are the components that both schemas extend. What such a base says is
// told at the base.
type bases map[document.Pointer]bool

// tell reports whether a difference with these owners is that of a base.
func (b bases) tell(owners ...document.Pointer) bool {
	for _, owner := range owners {
		if !b[owner] {
			return false
		}
	}
	return len(owners) > 0
}

// types compares types; it reports whether the rest can be compared.
func (w walker) types(before, after *shape, common bases) bool {
	was, is := before.typeText(), after.typeText()
	if was == is || len(before.arms) > 0 || len(after.arms) > 0 {
		return true
	}
	if !common.tell(before.facts["type"].owner, after.facts["type"].owner) {
		w.found(TypeChanged, replaced, after.at.at, "%s is %s now, %s before", w.subject(), w.c.new.describe(after.at), w.c.old.describe(before.at))
	}
	return before.facts["type"].text == after.facts["type"].text
}

// facts compares single keywords.
func (w walker) facts(before, after facts, common bases, at document.Pointer) {
	keywords := maps.Clone(before)
	maps.Copy(keywords, after)
	for _, keyword := range slices.Sorted(maps.Keys(keywords)) {
		was, had := before[keyword]
		is, has := after[keyword]
		if was.text == is.text || keyword == "type" || keyword == "format" {
			continue
		}
		var owners []document.Pointer
		if had {
			owners = append(owners, was.owner)
		}
		if has {
			owners = append(owners, is.owner)
		}
		if !common.tell(owners...) {
			w.fact(keyword, was.text, is.text, at)
		}
	}
}

func (w walker) fact(keyword, was, is string, at document.Pointer) {
	switch keyword {
	case "nullable":
		if is == "true" {
			w.found(FieldNullable, widened, at, "%s can be null now", w.subject())
		} else {
			w.found(FieldNotNullable, narrowed, at, "%s can no longer be null", w.subject())
		}
	case "deprecated":
		w.deprecated(was == "true", is == "true", at)
	case "additionalProperties":
		if is == "false" {
			w.found(ConstraintChanged, narrowed, at, "%s takes no other fields now", w.subject())
		} else {
			w.found(ConstraintChanged, widened, at, "%s takes other fields now", w.subject())
		}
	default:
		w.found(ConstraintChanged, limitEffect(keyword, was, is), at, "%s of %s is %s now, %s before", keyword, w.subject(), orNone(is), orNone(was))
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// enums compares the values that are listed.
func (w walker) enums(before, after *shape, common bases) {
	at := after.at.at
	switch {
	case before.enum == nil && after.enum == nil, before.enum != nil && after.enum != nil && common.tell(before.enumOwner, after.enumOwner):
	case before.enum == nil:
		if !common[after.enumOwner] {
			w.found(ConstraintChanged, narrowed, at, "%s is limited to %s now", w.subject(), strings.Join(after.enum, ", "))
		}
	case after.enum == nil:
		if !common[before.enumOwner] {
			w.found(ConstraintChanged, widened, at, "%s is no longer limited to %s", w.subject(), strings.Join(before.enum, ", "))
		}
	default:
		for _, value := range before.enum {
			if !slices.Contains(after.enum, value) {
				w.found(EnumValueRemoved, narrowed, before.at.at, "%s can no longer be %s", w.subject(), value)
			}
		}
		for _, value := range after.enum {
			if !slices.Contains(before.enum, value) {
				w.found(EnumValueAdded, widened, at, "%s can be %s now", w.subject(), value)
			}
		}
	}
}

// nested compares the elements of arrays, or the members of maps.
func (w walker) nested(before, after field, common bases, keyword, step string, at document.Pointer) {
	had, has := before.spot.node != nil, after.spot.node != nil
	switch {
	case had && has && !(before.owner == after.owner && common[after.owner]):
		w.into(step).schema(before.spot, after.spot)
	case has && !had && !common[after.owner]:
		w.found(ConstraintChanged, narrowed, after.spot.at, "%s of %s must be %s now", keyword, w.subject(), w.c.new.describe(after.spot))
	case had && !has && !common[before.owner]:
		w.found(ConstraintChanged, widened, at, "%s of %s can be anything now, %s before", keyword, w.subject(), w.c.old.describe(before.spot))
	}
}
