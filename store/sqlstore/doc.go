// Package sqlstore keeps idempotency records in a SQL database: PostgreSQL,
// MySQL or MariaDB, or SQLite, all by the same code on bun. It implements
// store.Store and store.Transactional.
//
// # Opening
//
// [Open] takes a DSN and gives a store with a pool of its own. A backend that
// keeps its catalog in the same database opens it with [OpenDB], which sets
// everything about a connection that the store relies on, and hands it to [New].
// The table comes from [Migrate], which any number of nodes may call at once.
//
// # Two ways to execute
//
// In two phases, Reserve and Finalize are one statement each, committed at once.
// A Reserve that meets a record needs one more to read it; a key that is a few
// seconds old by its own timestamp is probably a retry, so there the order is
// turned round and a replay is one read.
//
// With [Store.Transact] the backend's writes and the record share a transaction.
// The backend reaches it through the context:
//
//	record, err := s.Transact(ctx, claim, func(ctx context.Context) (store.Outcome, store.Decision, error) {
//		_, err := sqlstore.DB(ctx, db).NewInsert().Model(&table).Exec(ctx)
//		...
//	})
//
// What a mutation does outside the database, it undoes by [OnRollback]: a
// transaction can be rolled back after the mutation succeeded, because another
// request's record won or because the database asked for a retry.
//
// # Time
//
// The database's clock alone decides leases and expiry; every statement computes
// its instants there, so nodes whose clocks differ agree. Instants are kept as
// milliseconds since 1970, in UTC.
//
// # What each database needs
//
// PostgreSQL (and CockroachDB and YugabyteDB, for which the SQL is kept plain)
// needs nothing. Its sessions prepare the busiest statements, by SQL and under
// names that only this package uses; behind a pooler that takes sessions away
// between transactions the store notices and does without. MySQL and MariaDB need a max_allowed_packet of more than twice
// the largest stored body, because a body travels as a hexadecimal literal; the
// store warns when it is under 34 MiB, which is what bodies of 16 MiB take.
// SQLite is opened in WAL mode with one writing connection: transactions queue
// for it in the order they came instead of failing as locked, and reads go
// through connections of their own. Only an in-memory database has a single
// connection for everything, so a mutation there must use [DB] for its reads too.
package sqlstore
