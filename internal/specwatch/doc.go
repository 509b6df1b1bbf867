// Package specwatch holds what tests send and get against Iceberg's specification:
// each request and each response of an operation goes through kin-openapi's
// filter, by way of an http.RoundTripper that a test puts below its client.
//
// The document is the one in spec/, after the generator's repairs but with none of
// its configuration: without them no library reads it, and they change nothing on
// the wire. Paths count with {prefix} and without.
//
// A response must be as its operation declares it, the status included. A request
// need not be, as tests send bad ones on purpose: then it must be refused, and a
// success is the violation.
//
// Where the document is at odds with the clients that are written for it, or is
// silent, it is amended first. Each of the Amendments has a name, a reason, and an
// exchange that proves it: rejected by the document as it is, and accepted once
// amended. So the list cannot outlive its reasons, and what it excuses is held
// against the amended document instead of going unseen.
package specwatch
