// Package tables is the metadata engine for tables: it creates a table, applies commits to it, takes over a metadata file
// that exists, and says what a client sees and what a purge deletes. It does no input or output and knows no catalog:
// who writes the file and moves the pointer is its caller.
//
// # Text, not structs
//
// iceberg-go has a metadata builder, and it would be the natural tool. But it decodes into structs, and a commit through
// it loses what the structs have no room for: unknown members anywhere, a snapshot's key-id, the second source of a
// multi-argument transform, defaults beyond 2^53. A catalog stands between engines of different ages, so it may not be
// the weakest of them. The engine therefore works on the text (see package rawjson): a commit reads the members it needs
// into a state, applies its updates to that, and writes back what changed. iceberg-go stays the judge: it parses the
// schemas, specs, orders and snapshots that come in, and what goes out is shown to its reader before anyone else sees
// it, so no commit makes a table that iceberg-go cannot read.
//
// # The rules
//
// They are those of the table specification and of Java's reference implementation, down to the words of the messages,
// since compatibility kits compare them. Where iceberg-go's builder differs from the reference, the reference is
// followed: removing the current snapshot removes main, removing what is not there is no error, an encryption key is
// never replaced, a file's number and the logs are trimmed by the properties that the commit itself leaves behind.
//
// In a few places this engine is more careful than the reference. A snapshot that exists already is answered in the way
// on which clients keep its files. A table's time never runs backwards, whatever its writers' clocks say. The uuid of a
// table cannot be changed. A number that the reference lets go back (last-sequence-number) or overlap (next-row-id)
// does not.
package tables
