// Command gen generates Go from an OpenAPI document that declares an idempotency
// key.
//
//	gen generate          write the code (the default)
//	gen check             is the code on disk what the document gives?
//	gen report            operations, key coverage, final statuses, repairs
//	gen diff OLD NEW      what changed between two documents
//	gen spec import       keep a document's interface facts, drop its prose
//
// The configuration is onceberg.yaml in the working folder, or what --config
// names; every key has a flag that overrides it. The exit code is 0 when all is
// well, 1 when there are findings (code that is stale, documents that differ
// under --exit-code), and 2 for bad usage or bad input, in which case nothing has
// been written. A signal that comes while files are replaced waits until all are;
// the exit code is then 128 and its number.
package main
