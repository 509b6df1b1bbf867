// Package spec embeds the interface that this project implements: the facts of
// Apache Iceberg's REST catalog specification, and one-line summaries in the
// project's own words.
//
// rest-catalog-open-api.yaml is made from upstream's document by "gen spec import"
// and holds what a program needs to know, without upstream's prose; its header
// says which file, at which revision, it was made from. summaries.yaml is written
// by hand and becomes the doc comments of generated code.
package spec
