// Package generator reads an OpenAPI document that declares an idempotency key
// and writes Go: models that lose nothing, Echo handlers, and their wiring to
// onceberg's runtime.
//
// It works in four stages, each a package of its own:
//
//	load    document   YAML or JSON into a tree that knows lines and pointers
//	repair  repair     named changes to that tree, so that generated code compiles and loses nothing
//	plan    plan       the list of operations: who takes a key, what is final, what is secret
//	emit    emit       Go files from tree and plan, written all or none
//
// Between load and repair the document loses its prose, unless doc comments are
// to be its own: package specimport strips it, as it does when a specification is
// imported. So the code is the same from a document with prose and from one
// without.
//
// Analyze runs the first three, which is all a report needs; Render adds the
// last; Generate and Check write the result or compare it with what is on disk.
// Nothing here knows the runtime but by the import path that it writes into the
// code.
//
// The command line is cmd/gen.
package generator
