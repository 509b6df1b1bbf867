// Package grammar says what OpenAPI 3.0 and 3.1 (and for schemas, JSON Schema
// 2020-12) have to say of each kind of object: which keys it has, what may stand
// under each, and in which order this project writes them.
//
// Everything that looks at a document's structure asks here, so that a property
// called description is never taken for a description: package document, to walk
// a document and to refuse what has the wrong shape, and package specimport, to
// tell facts from prose.
//
// What is not listed is an extension, a keyword of a later version, or prose.
package grammar
