package diff

import (
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// prose are keywords that say nothing to a program.
var prose = map[string]bool{
	"description": true, "title": true, "summary": true, "example": true, "examples": true,
	"externalDocs": true, "$comment": true,
}

// remarks are keywords that stand beside a schema without giving it another
// shape.
var remarks = map[string]bool{"nullable": true, "deprecated": true, "default": true, "readOnly": true, "writeOnly": true}

// use is a schema where it is used: what is left when the ways to put a remark
// on it, or to let it be null, are taken off.
type use struct {
	spot
	ref    document.Pointer // of the component, when it is nothing but a reference
	shaped facts            // null, deprecation, a default
}

// peel takes off an allOf of one schema, a union of null and one schema, and
// remarks beside a reference. All of them are spellings of "this schema, with a
// remark".
func peel(at spot) use {
	u := use{spot: at, shaped: facts{}}
	for {
		if ref, ok := u.node.Ref(); ok && onlyRemarks(u.node, "$ref") {
			u.remark()
			u.ref = ref
			return u
		}
		inner, nullable := unwrapped(u.spot)
		if inner.node == nil {
			return u
		}
		u.remark()
		if nullable {
			u.shaped.set("nullable", "true", "")
		}
		u.spot = inner
	}
}

// unwrapped looks into an allOf of one schema, or a union of one and null.
func unwrapped(at spot) (inner spot, nullable bool) {
	if members := at.elements("allOf"); len(members) == 1 && onlyRemarks(at.node, "allOf") {
		return members[0], false
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if !onlyRemarks(at.node, keyword) {
			continue
		}
		arms, null := withoutNull(at.elements(keyword))
		if null && len(arms) == 1 {
			return arms[0], true
		}
	}
	return spot{}, false
}

func withoutNull(arms []spot) (others []spot, null bool) {
	for _, arm := range arms {
		if types := arm.node.Get("type").Strings(); len(types) == 1 && types[0] == "null" {
			null = true
			continue
		}
		others = append(others, arm)
	}
	return others, null
}

func onlyRemarks(n *document.Node, but string) bool {
	for name := range n.Members() {
		if name != but && !prose[name] && !remarks[name] && !strings.HasPrefix(name, "x-") {
			return false
		}
	}
	return true
}

// remark keeps the remarks of the layer that is taken off.
func (u use) remark() {
	for name, value := range u.node.Members() {
		if remarks[name] {
			u.shaped.note(name, value, "")
		}
	}
}

// facts are what a schema says in single keywords, each with the component that
// says it: empty for the schema itself.
type facts map[string]fact

type fact struct {
	text  string // the value, as JSON without prose
	owner document.Pointer
}

// set keeps what a nearer schema has said already.
func (f facts) set(keyword, text string, owner document.Pointer) {
	if _, said := f[keyword]; !said {
		f[keyword] = fact{text, owner}
	}
}

// note sets a keyword, unless its value is the one that holds without it.
func (f facts) note(keyword string, value *document.Node, owner document.Pointer) {
	text := string(bare(value, false).JSON())
	if text == "false" && keyword != "default" {
		return
	}
	f.set(keyword, text, owner)
}

// freeNames are the keywords whose member names are free.
var freeNames = map[string]bool{"properties": true, "patternProperties": true, "$defs": true, "dependentSchemas": true}

// bare copies a value without prose.
func bare(n *document.Node, names bool) *document.Node {
	c := &document.Node{Kind: n.Kind, Text: n.Text}
	for name, value := range n.Members() {
		if names || !prose[name] && !strings.HasPrefix(name, "x-") {
			c.Set(name, bare(value, !names && freeNames[name]))
		}
	}
	for _, item := range n.Elements() {
		c.Items = append(c.Items, bare(item, false))
	}
	return c
}
