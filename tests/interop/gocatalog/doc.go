// Package gocatalog tries an Iceberg REST server with iceberg-go's client: with
// the suite that iceberg-go has for catalogs, and with real tables, which that
// suite does not write to.
//
// Its tests carry the build tag interop and need a server:
//
//	ONCEBERG_TEST_URL=http://127.0.0.1:8181 go test -tags interop ./tests/interop/gocatalog
//
// The server's warehouse must be a folder that the tests can read and write.
// Package interop starts servers and runs them.
package gocatalog
