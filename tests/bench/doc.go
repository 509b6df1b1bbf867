// Package bench measures what idempotency costs a server, always against the
// same requests without it and in turns with them, so that whatever else the
// machine does meets both sides. It has no code but its benchmarks:
//
//	make bench
//
// runs them, and those of the packages that a ratio comes from, and makes one
// table of all; docs/performance.md has the last one and says how to read it.
//
// A request goes through Echo, the guard, the store and a handler that changes
// one account in the database, all in this process; there is no network but that
// to the database server. The servers flush every commit to disk.
package bench
