package document

import "strings"

// Ref returns where a node's $ref points, and whether it has one into this
// document.
func (n *Node) Ref() (Pointer, bool) {
	return refPointer(n.Get("$ref").Str())
}

func refPointer(ref string) (Pointer, bool) {
	rest, ok := strings.CutPrefix(ref, "#")
	if !ok || (rest != "" && !strings.HasPrefix(rest, "/")) {
		return "", false
	}
	return Pointer(rest), true
}

// Resolve follows $refs until it meets something else. It gives nil for a
// reference that leads nowhere or in circles; Check has refused both.
func (d *Document) Resolve(n *Node) *Node {
	_, n = d.resolve("", n)
	return n
}

// ResolveAt is Resolve for a node whose pointer is known, and also tells where
// the result stands.
func (d *Document) ResolveAt(p Pointer) (Pointer, *Node) {
	return d.resolve(p, d.Lookup(p))
}

// IsHeader reports whether a parameter, or what it refers to, is the request
// header of a name. Header names know no case.
func (d *Document) IsHeader(parameter *Node, name string) bool {
	p := d.Resolve(parameter)
	return p.Get("in").Str() == "header" && strings.EqualFold(p.Get("name").Str(), name)
}

func (d *Document) resolve(p Pointer, n *Node) (Pointer, *Node) {
	for range 100 {
		target, ok := n.Ref()
		if !ok {
			return p, n
		}
		p, n = target, d.Lookup(target)
	}
	return p, nil
}

// SchemaName returns the name of the component schema that a $ref or the value
// of a discriminator mapping names; a mapping may give the bare name.
func SchemaName(ref string) string {
	return strings.TrimPrefix(ref, "#/components/schemas/")
}
