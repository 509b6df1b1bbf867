package store

import "errors"

// The sentinels that stores return, wrapped with context; match them with
// errors.Is. Any other error means that the store could not be reached.
var (
	// ErrNotFound: the key has no record, or only an expired one.
	ErrNotFound = errors.New("store: no record for this key")

	// ErrLeaseLost: the token does not hold the key. Somebody else took the
	// reservation over, or it was released or finalized.
	ErrLeaseLost = errors.New("store: the lease on this key is lost")

	// ErrFull: a bounded store has no room, and everything in it is in progress
	// or, where the store is set to refuse, still alive. Trying again later
	// helps.
	ErrFull = errors.New("store: full")

	// ErrCorrupt: a record is there and cannot be read, because a value in it
	// is impossible. Somebody has to look at it.
	ErrCorrupt = errors.New("store: corrupt record")

	// ErrUnknownOutcome: a commit was sent and its answer did not come. The
	// transaction may or may not have taken place.
	ErrUnknownOutcome = errors.New("store: outcome of the commit is unknown")

	// ErrClosed: the store has been closed.
	ErrClosed = errors.New("store: closed")
)
