// Package metadata is the house of the metadata engine: what a catalog has to know about the metadata of tables and
// views, and of the files they are in. It holds no code itself; its rooms are
//
//   - tables: create a table, apply a commit, register a file, trim for a client, list what a purge deletes;
//   - views: create a view, apply a commit, register a file;
//   - files: read, write and delete metadata files, on a disk or in an object store;
//   - fault: the errors, by the kinds that clients tell apart;
//
// and, for these, commits (reads a commit's requirements and updates), schemas, properties, stored (reads members of
// stored metadata) and rawjson (edits JSON without losing what it does not understand).
//
// The engine has no HTTP, no database and no clock of its own. A catalog goes through it like this: it reads the base
// file (files.Store.Read), parses the request (tables.ParseCommit), applies it (tables.Commit.Apply), writes the
// result (files.Store.Write) and moves its pointer by compare-and-swap. If it lost the race it deletes the file it
// wrote and applies the same commit to the winner's table. The text that Apply returned is what the file holds and what
// the client is served, so an answer can be given again from the file, byte for byte.
//
// iceberg-go is imported by these packages alone, and its object stores by none of them.
package metadata
