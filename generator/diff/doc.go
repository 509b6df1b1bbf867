// Package diff compares two versions of an OpenAPI document: what a server that
// implements them, and a client that calls it, has to know about the step from
// one to the other.
//
// Compare takes two analyses. It reads the documents as they were written, not as
// they were repaired, so that nothing the configuration hides is missed; prose,
// order and the way a fact is written down make no difference: null as a type or
// as nullable, a const or an enum of one value, a member of an allOf or a
// property of one's own. What it compares is
//
//   - operations: added, removed, moved, renamed, deprecated
//   - the idempotency key: declared or not, which statuses are final, and whether
//     the outcome can be unknown
//   - parameters, request bodies, responses of every status and their headers
//   - schemas: fields, types, required, null, values, variants, limits
//
// It leaves out security schemes, servers, callbacks, links and extensions.
//
// A change inside a shared component is told once, at the component, with the
// operations it reaches. A component counts as reached where both documents lead
// to it. A schema that went away where another of much the same fields came is
// taken for renamed, and the rest of its differences are told there; where one
// known schema takes another's place, that is a change of type.
//
// # Who breaks
//
// A change is breaking when one side, built for one document, fails against the
// other side, built for the other document:
//
//   - what a client may send has become less, or what it reads may be more: it
//     breaks clients
//   - what a client may send has become more, or what a server may answer less:
//     it breaks servers
//   - a field or a parameter is gone: it breaks the clients that used it
//   - a type is another one, or an operation moved: it breaks both
//   - a name that is not on the wire, an operationId or a schema's, is another
//     one: it breaks servers, whose generated code has other names
//
// A new optional field or parameter breaks nobody, since readers pass over what
// they do not know. Whatever breaks nobody is notable.
//
// # The JSON form
//
// It is stable: members and kinds may be added, none changes its meaning or goes
// away. No member is ever null.
//
//	{
//	  "old": the document's description, as in generator/report
//	  "new": the same
//	  "changes": [{
//	    "kind":       one of the constants of type Kind
//	    "severity":   "breaking" or "notable"
//	    "breaks":     who breaks: "clients", "servers", both, or nobody
//	    "operation":  operationId, "" for a change inside a component
//	    "component":  JSON pointer of the component, "" for one in an operation
//	    "pointer":    JSON pointer of what changed, in the new document; for kinds
//	                  that end in -removed or -lost, in the old one
//	    "operations": ids of the operations that the change reaches
//	    "text":       the change in words
//	  }]
//	}
//
// Changes in operations come first, in the order of the new document, those in
// components after them, by pointer.
package diff
