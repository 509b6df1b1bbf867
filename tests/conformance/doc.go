// Package conformance asks any server of Iceberg's REST catalog API whether it
// keeps the promise of the Idempotency-Key header, in whatever language it is
// written.
//
// Run makes what each operation needs in namespaces of its own, plays the faults
// that the key is there for (a lost answer, a client that hung up, twins, a key
// used twice for different things), and judges by the answers and by what the
// catalog shows afterwards. What it makes and removes goes through package client,
// so that preparing a case survives what the case is about. A Go test of a server is
// one line:
//
//	conformance.Test(t, conformance.Target{URL: server.URL})
//
// Every case names the sentence of the specification that it rests on, and how
// much it weighs: what the specification requires (Must) or implies (Should)
// makes a run fail, good practice (Quality) does not.
package conformance
