// Package report says what the generator found out about a document: its
// operations, who takes an idempotency key, which statuses are final, and what
// had to be repaired.
//
// New takes a generator.Analysis; WriteText, WriteJSON and WriteHTML write the
// same findings for a terminal, for programs and for a browser.
//
// The JSON form is stable: members may be added, none changes its meaning or
// goes away. No member is ever null, and lists keep the order of the document.
//
//	{
//	  "spec": {
//	    "file":       path as configured, "-" for standard input
//	    "title":      the document's info.title
//	    "version":    the document's info.version
//	    "openapi":    the OpenAPI version it is written in
//	    "sha256":     digest of the file's bytes, in hexadecimal
//	    "operations": how many operations it has
//	    "declaring":  how many mutations declare the key in the document itself
//	    "idempotent": how many honour a key, with also: and except: counted in
//	    "key_header": name of the header that carries the key
//	  },
//	  "operations": [{
//	    "id":                operationId
//	    "method":            HTTP method, in upper case
//	    "path":              path template
//	    "idempotent":        whether the guard honours a key here
//	    "declared_at":       JSON pointer of the parameter that declares the key,
//	                         "also" when the configuration adds it, "" otherwise
//	    "final_statuses":    declared statuses that are recorded and replayed
//	    "released_statuses": declared statuses that free the key for another try
//	    "state_unknown":     whether 500, 502 or 504 is declared by itself, so that
//	                         after one a commit may have happened or not
//	    "secret_fields":     JSON pointers into success responses, never stored;
//	                         "*" stands for every element
//	  }],
//	  "repairs": [{
//	    "name":    kind of repair, one of those in generator/repair
//	    "pointer": JSON pointer of what was changed
//	    "reason":  what was wrong and what was done
//	  }]
//	}
//
// Statuses are strings, since a range such as "5XX" is one. An operation that
// takes no key has no final and no released statuses.
//
// The HTML form is one page without scripts and without anything from elsewhere,
// so that it can be attached to a pull request or printed.
package report
