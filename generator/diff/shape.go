package diff

import (
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// shape is a schema with all that it inherits by allOf, so that it makes no
// difference whether a schema says something itself or lets a base say it. Each
// fact knows its owner: the component it comes from, empty for the schema itself.
type shape struct {
	at        spot
	facts     facts
	fields    []field
	required  map[string][]document.Pointer // owners by name
	enum      []string                      // values as JSON; nil when any will do
	enumOwner document.Pointer
	items     field
	values    field // of a map
	arms      []spot
	armsOwner document.Pointer
	by        string // the property that tells variants apart
	variants  []variant
	bases     []document.Pointer
}

type field struct {
	name  string
	spot  spot
	owner document.Pointer
}

type variant struct {
	value string
	spot  spot // of the mapping's entry
	ref   document.Pointer
}

// shape collects a schema. A reference counts as a base.
func (s side) shape(at spot) *shape {
	sh := &shape{at: at, facts: facts{}, required: map[string][]document.Pointer{}}
	s.collect(sh, at, "", false)
	sh.infer()
	return sh
}

// baseShape collects what a schema that has a discriminator in one document hands
// on to those that extend it: neither arms nor variants. It describes an object,
// since only a field can tell variants apart.
func (s side) baseShape(at spot) *shape {
	sh := &shape{at: at, facts: facts{}, required: map[string][]document.Pointer{}}
	s.collect(sh, at, "", true)
	sh.arms = nil
	sh.by = at.node.At("discriminator", "propertyName").Str()
	sh.facts.set("type", "object", "")
	sh.infer()
	return sh
}

// collect adds what one schema says; what is there already comes from a nearer
// one and stays. Below an allOf, a base's discriminator names its subtypes, and
// is not a fact about the schema that extends it.
func (s side) collect(sh *shape, at spot, owner document.Pointer, inherited bool) {
	for name, value := range at.node.Members() {
		if !prose[name] && !strings.HasPrefix(name, "x-") {
			s.keyword(sh, at, name, value, owner, inherited)
		}
	}
	if at.node != nil && at.node.Kind == document.Bool && at.node.Text == "false" {
		sh.facts.set("type", "nothing", owner)
	}
	if ref, ok := at.node.Ref(); ok {
		s.base(sh, ref, inherited)
	}
	for _, member := range at.elements("allOf") {
		if ref, ok := member.node.Ref(); ok && onlyRemarks(member.node, "$ref") {
			s.base(sh, ref, true)
			continue
		}
		s.collect(sh, member, owner, true)
	}
}

func (s side) base(sh *shape, ref document.Pointer, inherited bool) {
	if !slices.Contains(sh.bases, ref) {
		sh.bases = append(sh.bases, ref)
		s.collect(sh, s.spot(ref), ref, inherited)
	}
}

// keyword adds one keyword.
func (s side) keyword(sh *shape, at spot, name string, value *document.Node, owner document.Pointer, inherited bool) {
	switch name {
	case "$ref", "allOf", "$defs", "definitions":
	case "type":
		sh.types(value.Strings(), owner)
	case "const":
		sh.limit([]*document.Node{value}, owner)
	case "enum":
		sh.limit(value.All(), owner)
	case "properties":
		for property, node := range value.Members() {
			if sh.field(property) == nil {
				sh.fields = append(sh.fields, field{property, spot{at.at.To(name, property), node}, owner})
			}
		}
	case "required":
		for _, property := range value.Strings() {
			sh.required[property] = append(sh.required[property], owner)
		}
	case "items":
		sh.once(&sh.items, field{spot: at.member(name), owner: owner})
	case "additionalProperties":
		switch {
		case value.Kind == document.Object && len(value.Fields) > 0:
			sh.once(&sh.values, field{spot: at.member(name), owner: owner})
		case value.Kind == document.Bool && !value.True():
			sh.facts.set(name, "false", owner)
		}
	case "oneOf", "anyOf":
		if !inherited || !at.node.Has("discriminator") {
			sh.union(at.elements(name), owner)
		}
	case "discriminator":
		if !inherited {
			s.discriminator(sh, at)
		}
	default:
		sh.facts.note(name, value, owner)
	}
}

func (sh *shape) types(types []string, owner document.Pointer) {
	if slices.Contains(types, "null") {
		sh.facts.set("nullable", "true", owner)
	}
	types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
	slices.Sort(types)
	sh.facts.set("type", strings.Join(types, " or "), owner)
}

func (sh *shape) limit(values []*document.Node, owner document.Pointer) {
	if sh.enum != nil {
		return
	}
	sh.enum, sh.enumOwner = []string{}, owner
	for _, v := range values {
		if v.Kind != document.Null {
			sh.enum = append(sh.enum, string(v.JSON()))
		}
	}
}

func (sh *shape) once(slot *field, f field) {
	if slot.spot.node == nil {
		*slot = f
	}
}

func (sh *shape) union(arms []spot, owner document.Pointer) {
	if sh.arms != nil {
		return
	}
	others, null := withoutNull(arms)
	if null {
		sh.facts.set("nullable", "true", owner)
	}
	sh.arms, sh.armsOwner = others, owner
}

// discriminator adds the variants that it names, or implies: without a mapping
// and without arms, those are the schemas that extend this one.
func (s side) discriminator(sh *shape, at spot) {
	if sh.by != "" {
		return
	}
	schemas := document.Pointer("/components/schemas")
	sh.by = at.node.At("discriminator", "propertyName").Str()
	mapping := at.member("discriminator").member("mapping")
	for value, target := range mapping.node.Members() {
		ref := schemas.To(document.SchemaName(target.Str()))
		sh.variants = append(sh.variants, variant{value, spot{mapping.at.To(value), target}, ref})
	}
	if mapping.node != nil || at.node.Has("oneOf") || at.node.Has("anyOf") {
		return
	}
	for name, schema := range s.doc.Root.At("components", "schemas").Members() {
		for _, member := range schema.Get("allOf").Elements() {
			if ref, _ := member.Ref(); ref == at.at {
				sh.variants = append(sh.variants, variant{name, spot{schemas.To(name), schema}, schemas.To(name)})
			}
		}
	}
}

// infer gives a schema that leaves its type open the one that its other keywords
// speak of, and folds 3.0's way to exclude a bound into that of 3.1.
func (sh *shape) infer() {
	if _, said := sh.facts["type"]; !said && !sh.isUnion() {
		switch {
		case sh.by != "":
			sh.facts.set("type", "object", "")
		case len(sh.fields) > 0 || len(sh.required) > 0 || sh.values.spot.node != nil:
			sh.facts.set("type", "object", sh.onlyOwner())
		case sh.items.spot.node != nil:
			sh.facts.set("type", "array", sh.items.owner)
		case len(sh.enum) > 0 && strings.HasPrefix(sh.enum[0], `"`):
			sh.facts.set("type", "string", sh.enumOwner)
		}
	}
	for _, bound := range [][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		if f, ok := sh.facts[bound[0]]; ok && f.text == "true" {
			sh.facts[bound[0]] = sh.facts[bound[1]]
			delete(sh.facts, bound[1])
		}
	}
}

// isUnion reports whether the schema is one of several others, which need not be
// objects: no discriminator tells them apart.
func (sh *shape) isUnion() bool { return len(sh.arms) > 0 && sh.by == "" }

// onlyOwner is the owner of all fields when they have but one.
func (sh *shape) onlyOwner() document.Pointer {
	for i, f := range sh.fields {
		if i > 0 && f.owner != sh.fields[0].owner {
			return ""
		}
	}
	if len(sh.fields) > 0 {
		return sh.fields[0].owner
	}
	return ""
}

func (sh *shape) field(name string) *field {
	for i := range sh.fields {
		if sh.fields[i].name == name {
			return &sh.fields[i]
		}
	}
	return nil
}

// typeText is the type with its format.
func (sh *shape) typeText() string {
	return strings.TrimSpace(sh.facts["type"].text + " " + strings.Trim(sh.facts["format"].text, `"`))
}
