// Package tests holds what crosses packages. Each folder is one kind of proof:
// golden runs the generator on whole documents; team is a module of its own, the
// project of a team that builds a catalog on onceberg.
package tests
