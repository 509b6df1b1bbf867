// Package report reads what test suites of different languages say about a
// server, and prints it as one table.
//
// [JUnit] reads the XML that JUnit's console launcher and pytest write, [GoTest]
// the events of go test -json. A [Suite] is one run of one suite against one
// server; [Text] prints suites for people, with the reason of every skipped test,
// and [JSON] for programs.
package report
