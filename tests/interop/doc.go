// Package interop runs the test suites of other people's Iceberg clients against
// servers, and prints one table of counts:
//
//   - Apache's REST Compatibility Kit: its catalog and its view tests, each on a
//     fresh server, with every switch on that a server may have on;
//   - failure stories of ours with Apache's Java client: answers to everything
//     that it sends with a key are lost, to racing clients too, and retries come
//     while the first attempt still runs (java/src/test/java/onceberg/interop);
//   - scans of its that the server plans, against those that it plans itself;
//   - PyIceberg, with real tables, racing writers and plans (python);
//   - iceberg-go's client, with the suite that it has for catalogs, and tables,
//     views and plans of ours (gocatalog);
//   - all three of them logging in, by this server's token endpoint and by an
//     identity provider, and as callers that rules let do little.
//
// The servers are cmd/server on SQLite and on PostgreSQL, with idempotency on, and
// Apache's own RESTCatalogServer. The last one is the reference: what does not
// pass there is wrong here, and is listed with its reason where the server is at
// fault. A test that is skipped without being listed fails the run, as does a
// listed failure that has gone.
//
// What clients send to our own server and are answered by it is held against
// Iceberg's specification on the way (specwatch.Front). Apache's server is not
// watched: it is not ours to mend.
//
//	go test -tags interop -v -count=1 -timeout 60m ./tests/interop
//	go test -tags interop -v -count=1 ./tests/interop -run 'TestInterop/postgres/story-lost'
//	go test -tags interop -v -count=1 ./tests/interop -url http://127.0.0.1:8181 -run TestInterop/given
//
// It needs Java 17 with Maven, Python 3, and PostgreSQL as the other tests do.
// Maven and pip fetch what they need at the first run. Servers' logs, the suites'
// own reports and the table, as report.txt and report.json, are kept in the folder
// of -out, bin/interop by default.
package interop
