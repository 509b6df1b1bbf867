// Package nodes proves that several servers on one database keep the promise:
// each keyed mutation is applied once, whichever nodes its attempts reach and
// whatever dies meanwhile.
//
// A node is a process. The test binary starts itself again, told by its
// environment to be a node: generated handlers on Echo, a runtime.Guard on
// sqlstore, and a backend that keeps two small tables in the same PostgreSQL.
// Every execution changes a resource and adds a row with its key in one
// transaction, so that what was applied can be counted, however it was answered.
//
// The tests run every form of a node: two-phase, two-phase with a Reconcile hook,
// and transactional, where the backend writes through sqlstore.DB. They lead a
// request to a named point, before its write, before its commit, after it, before
// its answer, and there stop it, kill -9 its node or freeze the process. The nodes
// report over a pipe where they are; nothing waits for a guessed time. What they
// answer is held against Iceberg's specification, too.
//
//   - same_key: many twins of one request on all nodes: one execution, equal
//     answers.
//   - kill, freeze, restart: nodes and the database go away at each point.
//   - rollout: nodes of both forms on one database.
//   - lost: commits lose their answers, and clients hang up.
//   - waiters, clocks: the cases A13 and D8.
//   - soak: clients, kills, freezes and restarts by a seed. A checker reads the
//     history against what the database holds. NODES_SOAK=2m runs longer,
//     NODES_SEED=7 repeats a schedule.
package nodes
