// Package testdb gives tests real database servers: PostgreSQL and MariaDB,
// started from the binaries on this machine, in a temporary folder, on a free
// port of 127.0.0.1, as an unprivileged user when the tests run as root.
//
// [Postgres] and [MariaDB] return one server each, shared by all tests of the
// process; every test asks it for a fresh database of its own. A test that stops
// or kills its server starts one for itself with [NewPostgres] or [NewMariaDB].
// Benchmarks get a server that flushes every commit to disk, as a server in
// production does; the tests' own servers do not, because they only ever lose
// processes, never power.
//
// The package's servers end with [Main]:
//
//	func TestMain(m *testing.M) { os.Exit(testdb.Main(m).Run()) }
//
// or, where goroutines are checked for leaks, goleak.VerifyTestMain(testdb.Main(m)).
// Main lets more tests run at once than there are processors, unless -parallel says
// how many: they wait more than they compute.
// When the test process dies without getting there, by a panic or a signal, the
// kernel ends the servers with it (on Linux), and the next run removes the
// folders.
//
// A binary that is missing fails the test and says how to install it; nothing is
// ever skipped. ONCEBERG_TEST_POSTGRES (a postgres:// URL) and
// ONCEBERG_TEST_MYSQL (in the form of go-sql-driver/mysql) name servers to use
// instead of the shared ones; their user must be allowed to create databases.
// Servers of a test's own, and those of benchmarks, are always started here.
package testdb
