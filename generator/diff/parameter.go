package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/plan"
)

// parameter is one parameter of an operation, as it stands there.
type parameter struct {
	key      string // what makes it the same one in both documents
	name     string
	in       string
	required bool
	told     bool // the key: that it is new or gone is told by kinds of its own
	spot     spot
}

// parameters compares the parameters.
func (w walker) parameters(p pair, oldOp, newOp spot) {
	sameRoute := route(*p.old) == route(*p.new)
	olds := w.c.old.parameters(*p.old, oldOp, sameRoute)
	news := w.c.new.parameters(*p.new, newOp, sameRoute)
	for _, o := range olds {
		switch i := slices.IndexFunc(news, o.is); {
		case i < 0 && !o.told:
			w.found(ParameterRemoved, gone, o.spot.at, "%s parameter %s is gone", o.in, o.name)
		case i >= 0 && o.in == "path" && news[i].name != o.name:
			w.found(ParameterRenamed, harmless, news[i].spot.at, "path parameter %s is called %s now", o.name, news[i].name)
		}
	}
	for _, n := range news {
		switch i := slices.IndexFunc(olds, n.is); {
		case i >= 0:
			inner := w
			inner.base = fmt.Sprintf("%s parameter %s", n.in, n.name)
			inner.follow(olds[i].spot, n.spot, parameterPart, walker.parameter)
		case n.told:
		case n.required:
			w.found(ParameterAdded, narrowed, n.spot.at, "%s parameter %s is new and required", n.in, n.name)
		default:
			w.found(ParameterAdded, harmless, n.spot.at, "%s parameter %s is new and optional", n.in, n.name)
		}
	}
}

func (a parameter) is(b parameter) bool { return a.key == b.key }

// parameters are those of the operation, and those of its path item that it does
// not override.
func (s side) parameters(op plan.Operation, at spot, byPosition bool) []parameter {
	item := s.resolve(s.spot(document.Pointer("/paths").To(op.Path)))
	var list []parameter
	for _, p := range append(at.elements("parameters"), item.elements("parameters")...) {
		resolved := s.resolve(p).node
		one := parameter{name: resolved.Get("name").Str(), in: resolved.Get("in").Str(), required: resolved.Get("required").True(), spot: p}
		one.key = one.in + " " + one.name
		switch one.in {
		case "header":
			one.key = strings.ToLower(one.key)
		case "path":
			if position := slices.Index(strings.Split(op.Path, "/"), "{"+one.name+"}"); byPosition && position >= 0 {
				one.key = fmt.Sprintf("path %d", position)
			}
		}
		one.told = op.Mutates() && s.doc.IsHeader(p.node, s.plan.KeyHeader)
		if !slices.ContainsFunc(list, one.is) {
			list = append(list, one)
		}
	}
	return list
}

// parameter compares a parameter with its counterpart.
func (w walker) parameter(o, n spot) {
	oldRequired, newRequired := o.node.Get("required").True(), n.node.Get("required").True()
	switch {
	case newRequired && !oldRequired:
		w.found(ParameterRequired, narrowed, n.at, "%s is required now", w.base)
	case oldRequired && !newRequired:
		w.found(ParameterOptional, widened, n.at, "%s is optional now", w.base)
	}
	w.deprecated(o.node.Get("deprecated").True(), n.node.Get("deprecated").True(), n.at)
	oldEmpty, newEmpty := o.node.Get("allowEmptyValue").True(), n.node.Get("allowEmptyValue").True()
	switch {
	case newEmpty && !oldEmpty:
		w.found(ConstraintChanged, widened, n.at, "%s can be empty now", w.base)
	case oldEmpty && !newEmpty:
		w.found(ConstraintChanged, narrowed, n.at, "%s can no longer be empty", w.base)
	}
	if was, is := written(o.node), written(n.node); was != is {
		w.found(ConstraintChanged, replaced, n.at, "%s is written in the style %s now, %s before", w.base, is, was)
	}
	w.described(o, n)
}

// written says how a parameter's value is written down, with OpenAPI's defaults.
func written(n *document.Node) string {
	style := n.Get("style").Str()
	if style == "" {
		style = "simple"
		if in := n.Get("in").Str(); in == "query" || in == "cookie" {
			style = "form"
		}
	}
	explode := style == "form"
	if e := n.Get("explode"); e != nil {
		explode = e.True()
	}
	text := style
	if explode {
		text += ", exploded"
	}
	if n.Get("allowReserved").True() {
		text += ", reserved characters as they are"
	}
	return text
}

// described compares what a parameter or a header carries: a schema, or one
// under a media type.
func (w walker) described(o, n spot) {
	if o.node.Has("content") || n.node.Has("content") {
		w.content(o, n)
		return
	}
	w.schema(o.member("schema"), n.member("schema"))
}
