// Package apache starts the server that Apache tests its own Iceberg clients with,
// RESTCatalogServer, for tests that compare ours with it. It is a servlet in front
// of the Java library's JDBC catalog. Maven fetches it, and Java 17 runs it.
package apache
