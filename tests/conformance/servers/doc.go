// Package servers runs the conformance kit against real servers: against cmd/server
// in every form in which it can be operated (one node and three behind a balancer;
// records in memory, in the catalog's database, or in a database of their own), and
// against Apache's RESTCatalogServer.
//
// Ours must pass every case that can be played, and all that its nodes are asked
// and answer must be as Iceberg's specification has it. Apache's needs Maven and
// Java 17, and therefore runs only when it is asked for:
//
//	go test ./tests/conformance/servers
//	go test -tags interop -v -count=1 ./tests/conformance/servers -run TestApache
package servers
