package conformance

import (
	"strings"

	"github.com/onceberg/onceberg/generated"
	"github.com/onceberg/onceberg/runtime"
)

// advertises reports whether the server says that it serves an operation, or is
// tested as if it did.
func (t *trial) advertises(op *runtime.Operation) bool {
	return t.options.All || t.server.offers(op)
}

// needs is a skip when the server does not advertise what a case cannot do without.
func (t *trial) needs(ids ...string) error {
	for _, id := range ids {
		if !t.advertises(generated.FindOperation(id)) {
			return skipf("the case needs %s, which the server does not advertise", id)
		}
	}
	return nil
}

// excused turns the failure of a request of the kit's own into a skip when the
// server never said that it would serve it.
func (t *trial) excused(c call, failure error) error {
	if op := operationOf(c); op != nil {
		if skip := t.needs(op.ID); skip != nil {
			return skip
		}
	}
	return failure
}

// operationOf finds the operation that a call is of; nil when there is none.
func operationOf(c call) *runtime.Operation {
	path := "/v1/{prefix}" + c.path
	if c.unprefixed {
		path = "/v1" + c.path
	}
	for _, op := range generated.Operations {
		if op.Method == c.method && fits(op.Path, path) {
			return op
		}
	}
	return nil
}

// fits reports whether a path is one of a template's.
func fits(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, part := range want {
		if part != got[i] && !strings.HasPrefix(part, "{") {
			return false
		}
	}
	return true
}
