// Package loads measures loadTable beside Apache's own RESTCatalogServer, both on
// SQLite, in one run: the same metadata file of 1,000 snapshots, registered as a
// table in both, is loaded by one client and by sixteen, whole, with
// snapshots=refs, and with the tag that makes it a 304. The servers take turns, so
// that whatever else the machine does meets both.
//
//	go test -tags interop -run '^$' -bench LoadTable -timeout 20m ./tests/bench/loads
//
// It needs Java 17 and Maven, which fetches Apache's server at the first run.
package loads
