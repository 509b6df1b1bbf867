package repair

import (
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// namelessArms drops discriminators over arms that have no name, by which none
// can be told from the others; the union keeps its value as it is all the same.
// It looks at what the merging of allOfs has left.
func namelessArms(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if n.Has("discriminator") && slices.ContainsFunc(arms(n), func(arm *document.Node) bool { return !arm.Has("$ref") }) {
			n.Delete("discriminator")
			f.fixed(p, "an arm without a name has no discriminator value; the union has no discriminator now")
		}
	})
	return nil
}

// unionDiscriminator lets a union be dispatched on: its arms are all subtypes of
// one discriminated base, but the union itself does not say so.
func unionDiscriminator(f *fixer) error {
	families := f.families()
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if !isUnion(n) || n.Has("oneOf") && n.Has("anyOf") {
			return
		}
		dropTwins(n)
		if n.Has("discriminator") {
			return
		}
		for _, family := range families {
			if mapping := family.over(arms(n)); mapping != nil {
				n.Set("discriminator", document.NewObject("propertyName", family.property, "mapping", mapping))
				f.fixed(p, "its %d arms are told apart by %s, as the base that they extend says", len(arms(n)), family.property)
				return
			}
		}
	})
	return nil
}

// dropTwins leaves one of the arms that refer to the same schema, and differ at
// most in what no Go type shows.
func dropTwins(n *document.Node) {
	seen := map[string]bool{}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if list := n.Get(keyword); list != nil {
			list.Items = slices.DeleteFunc(list.Items, func(arm *document.Node) bool {
				ref := arm.Get("$ref").Str()
				twin := ref != "" && seen[ref]
				seen[ref] = true
				return twin
			})
		}
	}
}

// family is what a discriminated base says of its subtypes. byTarget has the
// values that lead to a schema, or to a union that stands for some of them.
type family struct {
	property string
	mapping  *document.Node
	byTarget map[string][]string
}

func (f *fixer) families() []family {
	var families []family
	for _, schema := range f.schemas().Members() {
		discriminator := schema.Get("discriminator")
		mapping := discriminator.Get("mapping")
		if len(targets(mapping)) == 0 {
			continue
		}
		one := family{discriminator.Get("propertyName").Str(), mapping, map[string][]string{}}
		for value, target := range mapping.Members() {
			ref := schemaRef(document.SchemaName(target.Str()))
			one.byTarget[ref] = append(one.byTarget[ref], value)
		}
		families = append(families, one)
	}
	for _, one := range families {
		for name, schema := range f.schemas().Members() {
			below := schema.Get("discriminator")
			if below.Get("propertyName").Str() == one.property && len(one.byTarget[schemaRef(name)]) == 0 {
				for value := range below.Get("mapping").Members() {
					if one.mapping.Has(value) {
						one.byTarget[schemaRef(name)] = append(one.byTarget[schemaRef(name)], value)
					}
				}
			}
		}
	}
	return families
}

// over gives the mapping of a union, nil when an arm is not of the family or
// stands for a value that another arm stands for as well.
func (one family) over(arms []*document.Node) *document.Node {
	mapping := document.NewObject()
	for _, arm := range arms {
		ref := arm.Get("$ref").Str()
		values := one.byTarget[ref]
		if len(values) == 0 {
			return nil
		}
		for _, value := range values {
			if mapping.Has(value) {
				return nil
			}
			mapping.Set(value, document.NewString(ref))
		}
	}
	if len(mapping.Fields) == 0 {
		return nil
	}
	return mapping
}
