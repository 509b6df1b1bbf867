package store

import (
	"context"
	"time"
)

// Store keeps idempotency records. Every method may be called from any number
// of goroutines, and from any number of processes when the backing database is
// shared. Every method returns promptly once its context is done, with an error
// that matches the context's error.
//
// All durations a caller passes are relative; a store turns them into instants
// by its own clock (the database's, where there is one), so that nodes whose
// clocks differ still agree on who holds a lease and what has expired.
//
// An error that is none of this package's sentinels means the store could not
// be reached or did not answer in time. The outcome of the call is then
// unknown: a caller that needs to know loads the record and compares tokens.
type Store interface {
	// Reserve claims a key for one execution, atomically. Of N concurrent
	// callers with the same key exactly one acquires it.
	//
	// The key is acquired when it has no record, when its record has expired,
	// or when it is reserved for the same request under a lease that has run
	// out; the last case sets Reservation.TakenOver and keeps CreatedAt.
	// Otherwise, and so also for a lapsed reservation of another request,
	// Reserve returns the record that holds the key, in Reservation.Existing,
	// and changes nothing. A record under a running lease has never expired,
	// however short its retention is.
	//
	// A claim whose own token holds the key, under a lease that runs, is answered
	// as it was the first time: a caller who lost the answer may ask again.
	Reserve(ctx context.Context, claim Claim) (Reservation, error)

	// Load returns the record of a key. A key without a record, or whose record
	// has expired, gives ErrNotFound. A record whose stored form cannot be read
	// gives ErrCorrupt.
	Load(ctx context.Context, key string) (*Record, error)

	// Finalize turns the reservation held by token into a final record that
	// answers every later request until retain has passed. Finalizing again
	// with the same token and the same status is a success that keeps the first
	// outcome, so that a caller who lost the first answer may repeat the call.
	// Anyone else's token gives
	// ErrLeaseLost and changes nothing, whether or not the lease has run out;
	// a token whose lease has run out but which nobody took over still wins.
	Finalize(ctx context.Context, key string, token Token, outcome Outcome, retain time.Duration) error

	// Release forgets the reservation held by token, so that the next request
	// with the key executes as if it were the first. A token that does not hold
	// the key gets ErrLeaseLost.
	Release(ctx context.Context, key string, token Token) error

	// Renew extends the lease of the reservation held by token to now+lease. A
	// lease of zero lets go of the reservation without forgetting it: the next
	// Reserve takes it over and knows that an attempt came before. A token that
	// does not hold the key, and one whose record is final, get ErrLeaseLost.
	Renew(ctx context.Context, key string, token Token, lease time.Duration) error

	// PurgeExpired deletes at most limit records whose retention has passed and
	// returns how many it deleted. It never takes a reservation whose lease
	// still runs. Callers repeat it until it returns less than limit; several
	// may do so at once, on several nodes.
	PurgeExpired(ctx context.Context, limit int) (int, error)

	// Close releases what the store holds. Calls made afterwards give
	// ErrClosed. Closing twice is harmless.
	Close() error
}

// Transactional is a Store that can run the backend's own writes and the record
// of their outcome in one database transaction, so that neither exists without
// the other, whatever crashes in between.
type Transactional interface {
	Store

	// Transact runs the mutation inside a transaction of the store's database;
	// the backend finds that transaction in the context (see the store's own
	// documentation). What happens next depends on the Decision:
	//
	//   - Commit: the final record is inserted and the transaction committed. If
	//     another record holds the key, everything is rolled back and that
	//     record is returned.
	//   - Reject: the mutation's writes are rolled back. If another record holds
	//     the key, or a lapsed reservation has it, that record is returned;
	//     otherwise the rejection is recorded.
	//   - Abort: the mutation's writes are rolled back and nothing is recorded.
	//
	// A nil record and a nil error mean that this call's own outcome stands. An
	// error from mutation itself is returned as it is, after a rollback; a panic
	// rolls back and goes on. Commit errors whose effect is unknown give
	// ErrUnknownOutcome.
	//
	// A lapsed reservation of the same request was left by a node that executes
	// in two phases. It gives way to a Commit. To a Reject it does not: the lost
	// attempt may have been applied, and the rejection be nothing but its trace.
	//
	// A deadlock or serialization failure makes the store run mutation again in
	// a new transaction, a bounded number of times; what mutation does outside
	// the database must allow for that.
	Transact(ctx context.Context, claim Claim, mutation Mutation) (*Record, error)
}

// Mutation runs a backend's handler and says what became of it.
type Mutation func(ctx context.Context) (Outcome, Decision, error)

// Decision says what a transaction does with the writes of a mutation.
type Decision int

// The decisions a Mutation can reach. The zero value aborts.
const (
	// Abort rolls back and records nothing: the outcome was not final.
	Abort Decision = iota
	// Commit keeps the writes and records the outcome beside them.
	Commit
	// Reject rolls the writes back and records the outcome, a final 4xx.
	Reject
)

// Claim is what a caller brings to reserve a key.
type Claim struct {
	// Key is the canonical key: 36 characters, lower case.
	Key string
	// Token is the fencing token this attempt will hold. It must be new for
	// every call.
	Token Token
	// Binding ties the key to one request.
	Binding Binding
	// Lease is how long the reservation is held without a Renew. It is not used
	// by Transact.
	Lease time.Duration
	// Retain is how long the record outlives its last change: the advertised
	// lifetime plus the grace period.
	Retain time.Duration
	// Audit is free text for whoever reads the table, never interpreted; it
	// must not hold a secret.
	Audit string
}

// Reservation is what Reserve answers.
type Reservation struct {
	// Acquired is true when the caller's token now holds the key.
	Acquired bool
	// TakenOver is true when an earlier attempt's lease had run out. That
	// attempt may have been applied.
	TakenOver bool
	// Existing is the record that holds the key; nil when Acquired.
	Existing *Record
}
