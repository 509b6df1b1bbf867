// Package specimport turns an upstream OpenAPI document into one that holds
// interface facts alone.
//
// An OpenAPI document mixes two things: what a program must know to speak the
// interface (paths, parameters, schemas, status codes, …) and prose that explains
// it to people (descriptions, summaries, examples, comments). A project that
// generates code from the facts, and writes its own words, keeps the first and
// leaves the second with its authors. Import does that, and records where the
// facts came from, so that they can be renewed and compared at any time.
//
// The work goes in three steps:
//
//	parse  package document reads YAML or JSON into a tree that remembers lines
//	strip  the tree is walked by the grammar of OpenAPI, prose is dropped and
//	       known keys are put in order
//	write  the header and the tree are written as block YAML, in one notation
//
// The generator strips too, when the doc comments it writes are not to be
// upstream's: Strip is the second step alone.
//
// # What is prose
//
// The walk follows the document's structure (package grammar), never a key's name alone: below
// properties, mapping, scopes, variables and the maps of components, a name such
// as description is a name that someone chose, and stays. What stands in default,
// enum, const and required is data and is not looked into.
//
// Dropped are description, summary, title, example, examples, externalDocs and
// $comment of every object, YAML comments, and the text of scopes. A response
// must have a description by OpenAPI's own schema, so it keeps an empty one. Two
// titles are facts: the one of info, and that of a schema with const, by which
// generators name the members of an enumeration. Fields that the grammar does not
// know, vendor extensions among them, are kept unless they read as prose: their
// name says so (x-enum-descriptions), or their value is made of sentences.
//
// # Order
//
// The keys of an object whose keys OpenAPI defines are written in the order in
// which package grammar lists them. Whatever could influence the order of generated
// declarations keeps upstream's order: paths, the methods of a path, responses,
// properties, components, and all lists.
//
// Import is idempotent: an imported document imports to the same bytes, and keeps
// its provenance.
package specimport
