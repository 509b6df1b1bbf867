package document

import (
	"fmt"
	"strings"
)

// Error is a fault in a document, with the place where it stands.
type Error struct {
	File    string  // as given to Parse; "-" is standard input
	Line    int     // 1-based; 0 when unknown
	Column  int     // 1-based; 0 when unknown
	Pointer Pointer // where in the document; empty when it is the whole
	Problem string
}

// Error reads "file:line:column: problem (at #/pointer)".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
	}
	b.WriteString(": " + e.Problem)
	if e.Pointer != "" {
		b.WriteString(" (at " + e.Pointer.Ref() + ")")
	}
	return b.String()
}

// Errorf makes an Error for what stands at a pointer. Where a repair has made
// the node, the line is that of the nearest ancestor that has one.
func (d *Document) Errorf(p Pointer, format string, args ...any) *Error {
	e := &Error{File: d.File, Pointer: p, Problem: fmt.Sprintf(format, args...)}
	n := d.Root
	e.at(n)
	for _, token := range p.Tokens() {
		n = n.step(token)
		e.at(n)
	}
	return e
}

func (e *Error) at(n *Node) {
	if n != nil && n.Line > 0 {
		e.Line, e.Column = n.Line, n.Column
	}
}
