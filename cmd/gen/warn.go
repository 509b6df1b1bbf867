package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/plan"
)

// warn names what is in order and yet seldom meant: a document whose mutations
// take no key, and reads that declare one.
func warn(w io.Writer, p *plan.Plan) {
	mutations := slices.ContainsFunc(p.Operations, plan.Operation.Mutates)
	idempotent := slices.ContainsFunc(p.Operations, func(op plan.Operation) bool { return op.Idempotent })
	if mutations && !idempotent && p.Declaring() == 0 {
		fmt.Fprintf(w, "gen: warning: no operation that changes something declares %s, so none is idempotent; "+
			"list under also: those that are to take the key, or name under header: the header that the document uses\n", p.KeyHeader)
	}
	var reads []string
	for _, op := range p.Operations {
		if !op.Mutates() && declaresItself(op) {
			reads = append(reads, op.ID)
		}
	}
	if len(reads) > 0 {
		fmt.Fprintf(w, "gen: warning: reads ignore %s, though the document declares it on %s\n", p.KeyHeader, strings.Join(reads, ", "))
	}
}

// declaresItself reports whether the key is declared on the operation. On a path
// it is meant for those of the path's operations that take one.
func declaresItself(op plan.Operation) bool {
	const ofPath = 4 // steps to a path's parameter; a method is one more
	return len(document.Pointer(op.DeclaredAt).Tokens()) > ofPath
}
