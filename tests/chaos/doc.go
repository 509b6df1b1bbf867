// Package chaos lets clients work on real servers while everything between and
// around them breaks, and then checks that the promise was kept.
//
// Three processes of cmd/server serve one catalog in PostgreSQL. 32 clients, each
// with a client.Transport, create, change, rename and drop namespaces, tables and
// views, commit to tables that they share, and commit transactions over several of
// them. Between the two is a network that loses a fifth of the answers, drops,
// delays and duplicates requests, some of the copies long after the answer. Nodes
// are killed with kill -9 and started again; so is the database. The clocks of the
// nodes are minutes apart, by the build tag chaos of cmd/server.
//
// What really happened is told by the database: a trigger notes every change of the
// catalog in the transaction that makes it. The metadata files say the same a
// second time. Every mutation leaves a mark of its own, so that each change belongs
// to one mutation. A checker holds that against what the clients were told:
//
//   - An acknowledged mutation was applied exactly once, in all its parts and in
//     one transaction, and as the version that the answer names.
//   - A mutation whose client was told that it failed was not applied.
//   - All final answers to one key are equal, those too that the network lost.
//   - No change is there that nobody asked for, and no refusal without a reason.
//   - The metadata of each table is one chain, from its creation to what the
//     database points to: every file is there and names the one before, snapshots
//     and sequence numbers follow one another, and time does not go back.
//   - When all is quiet no lease runs, and asking once more settles what is open.
//   - What a node is asked and answers is as Iceberg's specification has it, whether
//     a client hears of it or not (internal/specwatch).
//
// Both forms of execution are run. In two phases a node may die between a mutation
// and its record; the mutation is then run again, which only a condition makes
// harmless. Commits to shared tables are appends with a requirement, as engines
// make them; of everything else a client touches only what is its own, and leaves
// it alone once it does not know what became of it. A client may then end with an
// outcome that nobody knows. That is no violation, and is counted.
//
// A third form keeps its records in memory and must be caught: a checker that sees
// nothing proves nothing. It has one node, as several with a memory each would fail
// without being killed.
//
// What clients do follows from the seed, and so does what the network does to each
// arrival of a request. When a node dies does not, in terms of what it is doing.
//
//	make chaos                  20 seconds of each form
//	make chaos CHAOS=10m        a long run
//	CHAOS_SEED=7 make chaos     the schedule of seed 7
//
// docs/chaos.md has the results.
package chaos
