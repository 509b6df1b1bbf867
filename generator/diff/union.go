package diff

import (
	"cmp"
	"slices"

	"github.com/onceberg/onceberg/generator/document"
)

// unions compares the arms of two unions, or of a union and a schema that is no
// union and so has itself for its only arm. Where both documents tell the arms
// apart by a discriminator, those that it names are compared as its variants. It
// reports whether there is more to compare: what stands beside the arms.
func (w walker) unions(before, after *shape, common bases) bool {
	olds, news := before.alternatives(), after.alternatives()
	both := len(olds) > 0 && len(news) > 0
	switch {
	case len(before.arms) == 0 && len(after.arms) == 0, common.tell(before.armsOwner, after.armsOwner):
		return true
	case before.by != "" && after.by != "":
		olds, news = before.untold(after), after.untold(before)
	case len(olds) == 0:
		olds = []spot{before.at}
	case len(news) == 0:
		news = []spot{after.at}
	}
	matched := w.matchArms(olds, news)
	if !both && len(matched) == 0 {
		w.found(TypeChanged, replaced, after.at.at, "%s is %s now, %s before", w.subject(), w.c.new.describe(after.at), w.c.old.describe(before.at))
		return false
	}
	for i, arm := range olds {
		if !slices.ContainsFunc(matched, func(m arms) bool { return m.old == i }) {
			w.found(VariantRemoved, narrowed, arm.at, "%s can no longer be %s", w.subject(), w.c.old.describe(arm))
		}
	}
	for i, arm := range news {
		if !slices.ContainsFunc(matched, func(m arms) bool { return m.new == i }) {
			w.found(VariantAdded, widened, arm.at, "%s can be %s now", w.subject(), w.c.new.describe(arm))
		}
	}
	for _, m := range matched {
		w.schema(olds[m.old], news[m.new])
	}
	return both
}

// alternatives are the arms, and what a discriminator names beyond them.
func (sh *shape) alternatives() []spot {
	list := slices.Clone(sh.arms)
	for _, v := range sh.variants {
		if !leadsTo(sh.arms, v.ref) {
			list = append(list, reference(v))
		}
	}
	return list
}

func leadsTo(arms []spot, ref document.Pointer) bool {
	return slices.ContainsFunc(arms, func(arm spot) bool {
		to, ok := arm.node.Ref()
		return ok && to == ref
	})
}

// untold are the arms that neither document's discriminator names.
func (sh *shape) untold(other *shape) []spot {
	return slices.DeleteFunc(slices.Clone(sh.arms), func(arm spot) bool {
		to, ok := arm.node.Ref()
		return ok && (sh.names(to) || other.names(to))
	})
}

// names reports whether the discriminator names a schema.
func (sh *shape) names(ref document.Pointer) bool {
	return slices.ContainsFunc(sh.variants, func(v variant) bool { return v.ref == ref })
}

// arms are two arms that are taken for the same one.
type arms struct {
	old, new int
	score    float64
}

// matchArms pairs the arms of two unions: first those that are the same
// component, then the best matches among the rest, each arm once.
func (w walker) matchArms(olds, news []spot) []arms {
	var matched []arms
	taken := func(m arms) bool {
		return slices.ContainsFunc(matched, func(x arms) bool { return x.old == m.old || x.new == m.new })
	}
	pair := func(m arms) {
		if !taken(m) {
			matched = append(matched, m)
		}
	}
	for i, o := range olds {
		for j, n := range news {
			if was, is := peel(o), peel(n); was.ref != "" && was.ref == is.ref {
				pair(arms{old: i, new: j})
			}
		}
	}
	var candidates []arms
	for i, o := range olds {
		for j, n := range news {
			if m := (arms{old: i, new: j}); !taken(m) {
				m.score = w.armScore(o, n)
				candidates = append(candidates, m)
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b arms) int { return cmp.Compare(b.score, a.score) })
	for _, m := range candidates {
		if m.score > 0 {
			pair(m)
		}
	}
	slices.SortFunc(matched, func(a, b arms) int { return cmp.Compare(a.new, b.new) })
	return matched
}

// armScore says how well two arms match; 0 is not at all.
func (w walker) armScore(o, n spot) float64 {
	was, is := peel(o), peel(n)
	switch {
	case w.alike(was, is):
		return 2
	case was.ref != "" && is.ref != "":
		if w.c.rename(was.ref, is.ref) {
			return w.c.likeness(was.spot, is.spot, 0)
		}
	case was.ref == "" && is.ref == "":
		if score := w.c.likeness(was.spot, is.spot, 0); score >= enough {
			return score
		}
	}
	return 0
}
