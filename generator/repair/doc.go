// Package repair changes an OpenAPI document in memory so that Go code can be
// generated from it that compiles and loses nothing.
//
// Each repair has a name and mends one kind of fault wherever it occurs; none
// looks for a schema by its name. Whatever a repair changes it reports, with the
// place and the reason, and gen report lists it. A repair never changes what
// goes over the wire: it renames what only Go sees, or says in another way what
// the document already says. Where the document leaves open what is meant, the
// repair fails instead of guessing.
//
// Repairs run in a fixed order, since some prepare the ground for others:
// references first, then nullability, then unions, then what can only be kept as
// raw JSON, and names at the end, when no schema will be added any more.
package repair
