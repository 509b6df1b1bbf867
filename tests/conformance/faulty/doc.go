// Package faulty has Iceberg REST servers that break their idempotency promise,
// each in one way that somebody's server once did. The conformance kit must find
// every one of them out; otherwise its green results say nothing.
//
// They share one honest server: the generated handlers, the catalog on SQLite,
// and a guard of this package's own, written as plainly as it goes and sharing
// nothing with package runtime, so that kit and server cannot be wrong together.
// A fault replaces one of its steps; there is one file for each.
//
// Some faults no kit can see from outside, and they are not here: records that do
// not outlive a restart, or that are written after the answer was sent, show only
// when the server dies at the right moment. Package tests/nodes kills servers.
package faulty
