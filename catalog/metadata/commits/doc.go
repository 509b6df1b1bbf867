// Package commits reads the body of a commit: the requirements that must hold and the updates to apply, for tables and
// views alike; and what requests to create the two have in common.
//
// A [Language] lists the requirement types and update actions that one kind of object understands, each with a reader
// for its arguments. [Parse] reads a whole body before anything is applied, so that a commit with an unknown action or a
// missing argument is refused as such, whatever state its table is in; and it reads it once, so that a commit which lost
// the race for the pointer can be applied again to the newer state.
package commits
