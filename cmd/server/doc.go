// Command server is an Iceberg REST catalog on the generated handlers.
//
//	server [serve]           serve until told to stop
//	server config            print the effective configuration, secrets masked
//	server migrate           bring the sql store's tables up to date
//	server migrate --print   print the SQL for somebody else to run
//	server version           print what this binary was built from
//
// It is configured by package settings and wires the others together: package
// auth knows callers and their rights, catalog answers requests, runtime guards
// them, a store keeps the records. Beside the catalog it serves /healthz, /readyz
// and /metrics.
//
// SIGHUP makes it read tokens, clients, rules and the certificate again.
//
// SIGINT and SIGTERM stop it gracefully. First /readyz turns away new work, then
// the listener closes and requests in flight finish, then the guard writes what
// it has yet to record, and last the store closes. A second signal ends it at
// once.
//
// The exit code is 0 after a graceful stop, 1 when the server could not do its
// work, and 2 for a command line or a configuration that is not valid.
package main
