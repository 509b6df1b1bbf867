// Package tests holds what crosses packages. Each folder is one kind of proof:
// golden runs the generator on whole documents; nodes runs several processes on one
// database, and kills them; chaos breaks everything around real servers; interop
// runs other people's clients and kits against the server; clientsafety makes
// iceberg-go's client safe; conformance asks any server whether it keeps its keys'
// promise; bench measures what a key costs; team is a module of its own, the project
// of a team that builds a catalog on onceberg.
package tests
