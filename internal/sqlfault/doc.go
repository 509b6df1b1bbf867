// Package sqlfault reads the errors of the databases that hold records and the
// catalog: what became of the statement, and whether it is worth another try. The
// store and the catalog share those databases, so that they have to agree.
package sqlfault
