// Package emit renders Go files from a repaired document and its plan.
//
// Models, the server interface and the handlers come from oapi-codegen, used as
// a library with onceberg's templates in place of some of its own; what belongs
// to idempotency comes from templates over the plan. A table says which template
// makes which file. Every file is formatted, and holds no import that it does
// not use; the same input gives the same bytes.
//
// Write puts a set of files into a folder, all or none.
package emit
