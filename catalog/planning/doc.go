// Package planning finds the files of a table scan for a client that asks the server to do so, by iceberg-go's own
// planner.
//
// A [Request] is what the client sends. [Request.Resolve] holds it against a table and makes a [Scan] of it, in which
// nothing is left open: the snapshot, the schema and the filter are named, so that the same scan gives the same files
// whenever and wherever it is planned, whatever is committed meanwhile. [Scan.Plan] reads the manifests, and [Plan] turns
// the files into the document's file scan tasks.
//
// # No state
//
// A plan is answered at once, and nothing is kept of it. A plan-id is the scan itself as text, and a plan task is the
// scan with the numbers of the files that it stands for; any server that has the table can read them. Reading one again
// costs planning again. There are never more than [maxParts] parts, however many files there are, so that a client that
// fetches all of them costs a bounded number of plans. A task also has a digest of the whole list: a server that finds
// other files than the one that made the task, because the two run different releases, says that it does not know the
// task, and never answers with the wrong part.
//
// # Filters
//
// A filter serves twice: files that cannot have a matching row are left out, and what is left to be done with the rows of
// the others is returned as their residual. What this package does not understand (functions, and comparisons of
// transformed columns) leaves no file out and stays in the residual, which then is the client's filter as it came. What
// makes no sense for the table's schema is refused: a column that does not exist, and a literal that the column's type
// cannot hold exactly.
//
// # Deletes
//
// Position deletes, equality deletes and deletion vectors are listed with the files that they apply to. A range of
// snapshots gives the files that its append snapshots added, without deletes. A deletion vector that does not name its
// data file is an error: iceberg-go would pass over it.
package planning
