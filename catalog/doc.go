// Package catalog is the backend that cmd/server serves. It implements
// generated.StrictServerInterface, as any team's backend would, and knows
// nothing of idempotency: keys are the guard's business.
//
// It serves namespaces, tables and views: entries in a SQL database (package
// catalog/database) that point to metadata files in a warehouse (package
// catalog/metadata). Operations that it does not serve are
// generated.Unimplemented's 501, and [Catalog.Served] lists only the others, so
// that clients do not call the rest.
//
// # A mutation
//
// Everything that a request writes to the database is one unit of work: part of
// the guard's transaction, so that the record of the request is committed with
// it, or a transaction of its own when the guard has none. A commit reads the
// entry, applies its requirements and updates to the newest metadata, writes a new
// file, and moves the pointer by compare-and-swap. When another commit was
// faster, it is applied again to what that one left; a requirement that fails then
// is a 409, and the client refreshes. So the pointer never leads to a file that is
// not whole, and a file that no pointer led to is removed when the unit of work
// turns out to be rolled back. The other way round, files become useless only
// by a commit, and are deleted only after it: what a purge takes is a row of the
// same transaction, carried out later by [Catalog.Run].
//
// Tables and views share the names of a namespace. A table answers for a view as
// if it were not there, and the other way round; only whoever wants the name
// learns what has it.
//
// # Replays
//
// Of a response with metadata the record keeps where the file is, in a few
// hundred bytes however large the table. Since files never change, [Catalog.Replay]
// shows exactly the version that the first attempt made, or the current one once
// that file has been deleted; and since no credentials are kept, it vends fresh
// ones.
//
// # Scans
//
// A scan is planned while the client waits, by package catalog/planning, and
// nothing is kept of it: ids and tasks are the scan itself as text, that any node
// can plan again. A record of a keyed plan is the same, and a replay plans again
// from the metadata file of the first attempt.
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
