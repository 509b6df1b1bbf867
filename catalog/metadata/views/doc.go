// Package views is the metadata engine for views: it creates a view, applies commits to it and takes over a metadata
// file that exists. Like tables, it works on the text, so that what a newer engine wrote into a view survives a commit
// made here; iceberg-go's reader has the last word on what is written.
//
// The rules are those of the view specification and of Java's reference implementation, by which compatibility kits
// judge: a commit made from an older state of a view is not refused for that, its version is renumbered; a version or
// schema that is there already is found instead of added; the version log gains an entry only when the current version
// changes; and only so many versions are kept as the property version.history.num-entries says.
package views
