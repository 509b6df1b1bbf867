// Package specwatch holds what tests send and get against Iceberg's specification:
// each request and each response of an operation goes through kin-openapi's filter.
//
// A test puts a Transport below its client, or a Front before its server where the
// clients are other processes, or connections are what it is about. A Front hands on
// every byte as it came.
//
// The document is the one in spec/, after the generator's repairs but with none of
// its configuration: without them no library reads it, and they change nothing on
// the wire. Paths count with {prefix} and without.
//
// A response must be as its operation declares it, the status included. A request
// need not be, as tests send bad ones on purpose: then it must be refused by a 4xx,
// and all else is the violation. That is all that is excused; what a bad request is
// refused with is looked at like any response. Below /v1, what the document has no
// operation for must be refused as well, by the error that all operations have.
//
// The filter takes twice as long for each level of a schema that contains itself,
// as types and conditions do. Bodies of more than 4 levels or 4 KiB are therefore
// given to kin-openapi's schemas directly, which find the same in a time that grows
// with the length: some tenths of a second for 1 MiB. What is longer than
// that is not looked into, but for its status and headers.
//
// Where the document is at odds with the clients that are written for it, or is
// silent, it is amended first. Each of the Amendments has a name, a reason, and an
// exchange that proves it: rejected by the document as it is, and accepted once
// amended. So the list cannot outlive its reasons, and what it excuses is held
// against the amended document instead of going unseen.
//
// Watched are the tests of catalog, client, cmd/server and cmd/demo, and of tests/
// those of chaos, clientsafety, conformance/servers, interop and nodes. Servers of
// others are not, nor those that break on purpose, nor what a network of a test
// makes up.
package specwatch
