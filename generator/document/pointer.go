package document

import (
	"strconv"
	"strings"
)

// Pointer is a JSON pointer (RFC 6901) into a document; empty for its root.
type Pointer string

// To extends the pointer by member names.
func (p Pointer) To(names ...string) Pointer {
	for _, name := range names {
		if strings.ContainsAny(name, "~/") { // seldom, and a Replacer is slow
			name = escape.Replace(name)
		}
		p += "/" + Pointer(name)
	}
	return p
}

// Index extends the pointer by an array index.
func (p Pointer) Index(i int) Pointer { return p + "/" + Pointer(strconv.Itoa(i)) }

// Tokens returns the unescaped steps of the pointer.
func (p Pointer) Tokens() []string {
	if p == "" {
		return nil
	}
	tokens := strings.Split(string(p), "/")[1:]
	for i, t := range tokens {
		if strings.Contains(t, "~") {
			tokens[i] = unescape.Replace(t)
		}
	}
	return tokens
}

// Last returns the last step, unescaped.
func (p Pointer) Last() string {
	tokens := p.Tokens()
	if len(tokens) == 0 {
		return ""
	}
	return tokens[len(tokens)-1]
}

// Ref returns the pointer in the form of a $ref into the same document.
func (p Pointer) Ref() string { return "#" + string(p) }

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// Lookup returns the node a pointer leads to, nil when it leads nowhere.
func (d *Document) Lookup(p Pointer) *Node {
	n := d.Root
	for _, token := range p.Tokens() {
		n = n.step(token)
	}
	return n
}

// step returns the member of an object or the element of an array, nil when
// there is none.
func (n *Node) step(token string) *Node {
	if n == nil || n.Kind != Array {
		return n.Get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// Walk visits every node below start, parents first. A visitor that returns
// false keeps Walk out of that node. Visitors may change the node they are at.
func (d *Document) Walk(start Pointer, visit func(Pointer, *Node) bool) {
	walk(start, d.Lookup(start), visit)
}

func walk(p Pointer, n *Node, visit func(Pointer, *Node) bool) {
	if n == nil || !visit(p, n) {
		return
	}
	for i := 0; i < len(n.Fields); i++ {
		walk(p.To(n.Fields[i].Name), n.Fields[i].Value, visit)
	}
	for i, item := range n.Items {
		walk(p.Index(i), item, visit)
	}
}
