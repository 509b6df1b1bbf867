// Package document holds an OpenAPI document in memory as a tree that remembers
// where everything stood.
//
// The generator's first two stages work on this tree, and the importer of package
// specimport does. Parse reads YAML or JSON into it, so that an error can name
// file, line and JSON pointer; Check looks at what the document says, by the table
// of package grammar. Repairs change the tree in place: an OpenAPI library would already have dropped what they need to
// see, such as keywords beside a $ref. JSON writes it out again for the library
// that reads the repaired document.
//
// A tree keeps the order of the source. It holds no aliases: Parse replaces each
// one by a copy of what it stands for, so that changing one place changes no
// other.
package document
