// Package catalog is the backend that cmd/server serves. It implements
// generated.StrictServerInterface, as any team's backend would, and knows
// nothing of idempotency: keys are the guard's business.
//
// What it serves so far is namespaces, in full and in memory: create, list with
// pagination, load, exists, drop, properties, any number of levels. Every other
// operation is generated.Unimplemented's 501, and [Served] lists only what
// works, so that clients do not call the rest. A restart forgets everything.
//
// # Names
//
// A namespace is a list of levels, and levels stay apart throughout: ["a.b"] and
// ["a","b"] are two namespaces, although messages write both as a.b. In a path
// the levels are encoded one by one and joined by a separator; Path values are
// therefore split before they are decoded. In the query the separator stands
// decoded between raw levels. The unit separator (%1F) is understood always,
// another one beside it when it is configured, as the document asks.
//
// # Implicit parents
//
// ["a","b"] may be created without ["a"]. Such a parent shows up in listings and
// can be listed under, because otherwise its children could not be found; but
// nobody has created it, so that loading, dropping and changing it is a 404, and
// creating it succeeds. It is gone when its last child is.
//
// # Pages
//
// Listings are in the order of the names' bytes. A page token says after which
// name the next page starts, so that namespaces which come and go between two
// pages are neither shown twice nor make others be skipped.
package catalog
