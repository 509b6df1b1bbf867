// Package database keeps the catalog's entries in a SQL database: PostgreSQL,
// MySQL or MariaDB, or SQLite, by one code path on bun.
//
// There are three tables. iceberg_namespaces has a row for each namespace that
// was created; its name is the levels joined by the unit separator, which no
// level contains. iceberg_tables has a row for each table and view alike, so that
// one unique index keeps a namespace from having both under one name; the row
// points to the metadata file. iceberg_deletions lists files that are to be
// deleted: a row is written in the transaction that makes the files useless, and
// therefore exists only if that transaction was committed.
//
// Names are compared byte by byte on every database, by case, accent and
// trailing space, and listed in that order.
//
// # Writing
//
// [DB.Write] runs a unit of work, all of it or nothing. When the context carries
// a transaction (that of the guard, which also inserts the record of the request)
// the work is part of it; otherwise Write opens its own, and runs it again when
// the database asks for that. What a unit does outside the database it undoes by
// [Work.OnRollback].
//
// Conflicts are kept away by row locks, not by isolation levels. Whoever puts an
// entry into a namespace holds the namespace's row shared, whoever drops the
// namespace holds it alone. A pointer moves by compare-and-swap on the entry's
// version. SQLite has no row locks and needs none, since a transaction there is
// the only writer from its beginning: the database must be opened so that
// transactions begin immediately.
package database
