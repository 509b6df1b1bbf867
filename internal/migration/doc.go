// Package migration brings the tables of a part of the project up to date: the
// store's records and the catalog's entries have their migrations and their books
// each, in one database or in two, and are migrated in the same way. It adds to
// bun's migrate what keeps any number of nodes from being in one another's way,
// and a script for those who run SQL by hand.
package migration
