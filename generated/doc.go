// Package generated is what the generator makes of Apache Iceberg's REST catalog
// document: models, the interface that an implementation provides, Echo handlers
// and the table of operations. Nobody edits the .gen.go files; the document is in
// spec/, the configuration in onceberg.yaml.
//
// An implementation embeds Unimplemented, provides what it can, and is served by
// Register together with a guard from package runtime.
package generated

//go:generate go run ../cmd/gen generate --config ../onceberg.yaml
