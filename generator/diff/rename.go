package diff

import (
	"github.com/onceberg/onceberg/generator/document"
)

// enough is the likeness from which on a schema is taken for the renamed form of
// another.
const enough = 0.5

// rename reports whether a component is another one under a new name, changed
// perhaps: the old name is gone, the new one is new, and the two have enough in
// common.
func (c *comparer) rename(was, is document.Pointer) bool {
	if c.new.doc.Lookup(was) != nil || c.old.doc.Lookup(is) != nil {
		return false
	}
	return c.likeness(c.old.spot(was), c.new.spot(is), 0) >= enough
}

// maxDepth ends the comparison of unions of unions.
const maxDepth = 3

// likeness says how much two schemas have in common, from 0 to 1: of objects the
// share of fields by name, of unions the share of arms.
func (c *comparer) likeness(o, n spot, depth int) float64 {
	before, after := c.old.shape(peel(o).spot), c.new.shape(peel(n).spot)
	unions := len(before.arms) > 0 && len(after.arms) > 0
	switch {
	case before.facts["type"].text != after.facts["type"].text, depth > maxDepth:
		return 0
	case unions:
		return c.armLikeness(before.arms, after.arms, depth)
	case len(before.arms) > 0 || len(after.arms) > 0:
		return 0
	case len(before.fields) == 0 && len(after.fields) == 0:
		return 1
	}
	common := 0
	for _, f := range before.fields {
		if after.field(f.name) != nil {
			common++
		}
	}
	return float64(common) / float64(len(before.fields)+len(after.fields)-common)
}

// armLikeness takes each old arm's first match among the new ones.
func (c *comparer) armLikeness(olds, news []spot, depth int) float64 {
	taken := map[int]bool{}
	common := 0
	for _, o := range olds {
		for j, n := range news {
			if taken[j] || !c.sameArm(o, n, depth) {
				continue
			}
			taken[j] = true
			common++
			break
		}
	}
	return float64(common) / float64(len(olds)+len(news)-common)
}

func (c *comparer) sameArm(o, n spot, depth int) bool {
	was, _ := o.node.Ref()
	is, _ := n.node.Ref()
	if was == is && was != "" {
		return true
	}
	if was != "" && is != "" && (c.new.doc.Lookup(was) != nil || c.old.doc.Lookup(is) != nil) {
		return false
	}
	return c.likeness(o, n, depth+1) >= enough
}
