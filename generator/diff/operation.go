package diff

import (
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/plan"
)

// operationParts is an operation with what was found about it.
type operationParts struct {
	pair
	facts, request, response part
}

func (o *operationParts) id() string {
	if o.new != nil {
		return o.new.ID
	}
	return o.old.ID
}

// operation compares one operation.
func (c *comparer) operation(p pair) {
	o := &operationParts{pair: p}
	c.operations = append(c.operations, o)
	facts := walker{c: c, part: &o.facts, base: "the operation"}
	switch {
	case p.old == nil:
		facts.found(OperationAdded, harmless, c.new.operation(*p.new).at, "%s %s is new and %s", p.new.Method, p.new.Path, keyWords(*p.new, c.new.plan))
		return
	case p.new == nil:
		facts.found(OperationRemoved, gone, c.old.operation(*p.old).at, "%s %s is gone", p.old.Method, p.old.Path)
		return
	}
	oldSpot, newSpot := c.old.operation(*p.old), c.new.operation(*p.new)
	facts.identity(p, newSpot.at)
	facts.key(p, oldSpot.at, newSpot.at)
	facts.stateUnknown(p, oldSpot.at, newSpot.at)

	request := walker{c: c, part: &o.request}
	request.parameters(p, oldSpot, newSpot)
	request.requestBody(oldSpot.member("requestBody"), newSpot.member("requestBody"))

	response := walker{c: c, part: &o.response}
	response.responses(p, oldSpot.member("responses"), newSpot.member("responses"))
}

// operation finds an operation of the plan in the document.
func (s side) operation(op plan.Operation) spot {
	item := s.resolve(s.spot(document.Pointer("/paths").To(op.Path)))
	return item.member(strings.ToLower(op.Method))
}

func keyWords(op plan.Operation, p *plan.Plan) string {
	switch {
	case op.Declares():
		return "declares " + p.KeyHeader
	case op.Idempotent:
		return "takes " + p.KeyHeader + " by configuration"
	}
	return "takes no key"
}

func (w walker) identity(p pair, at document.Pointer) {
	if p.old.ID != p.new.ID {
		w.found(OperationRenamed, recoded, at, "it is called %s now, %s before", p.new.ID, p.old.ID)
	}
	if route(*p.old) != route(*p.new) {
		w.found(OperationMoved, replaced, at, "it is at %s %s now, at %s %s before", p.new.Method, p.new.Path, p.old.Method, p.old.Path)
	}
	w.deprecated(p.old.Deprecated, p.new.Deprecated, at)
}

func (w walker) deprecated(old, new bool, at document.Pointer) {
	switch {
	case new && !old:
		w.found(Deprecated, harmless, at, "%s is deprecated now", w.subject())
	case old && !new:
		w.found(DeprecationLifted, harmless, at, "%s is no longer deprecated", w.subject())
	}
}

// key tells when the key is declared or honoured on one side only.
func (w walker) key(p pair, oldAt, newAt document.Pointer) {
	header := w.c.new.plan.KeyHeader
	switch {
	case p.new.Declares() && !p.old.Declares():
		w.found(KeyGained, harmless, document.Pointer(p.new.DeclaredAt), "the document declares %s now; final: %s; released: %s",
			header, words(p.new.FinalStatuses), words(p.new.ReleasedStatuses))
	case p.old.Declares() && !p.new.Declares():
		w.found(KeyLost, gone, document.Pointer(p.old.DeclaredAt), "the document no longer declares %s", header)
	case p.new.Idempotent && !p.old.Idempotent:
		w.found(KeyGained, harmless, newAt, "the configuration honours %s now", header)
	case p.old.Idempotent && !p.new.Idempotent:
		w.found(KeyLost, gone, oldAt, "the configuration no longer honours %s", header)
	}
}

func words(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func (w walker) stateUnknown(p pair, oldAt, newAt document.Pointer) {
	switch {
	case p.new.StateUnknown && !p.old.StateUnknown:
		w.found(StateUnknownGained, harmless, newAt, "its outcome can be unknown now: 500, 502 or 504 is declared")
	case p.old.StateUnknown && !p.new.StateUnknown:
		w.found(StateUnknownLost, harmless, oldAt, "its outcome can no longer be unknown: 500, 502 and 504 are not declared")
	}
}

// statusKind says what a declared status means for the key.
func statusKind(op plan.Operation, status string) (added, removed Kind, meaning string) {
	switch {
	case slices.Contains(op.FinalStatuses, status):
		return FinalStatusAdded, FinalStatusRemoved, ", and final"
	case slices.Contains(op.ReleasedStatuses, status):
		return ReleasedStatusAdded, ReleasedStatusRemoved, ", and releases the key"
	}
	return StatusAdded, StatusRemoved, ""
}
