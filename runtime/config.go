package runtime

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/onceberg/onceberg/store"
)

// Config says how a Guard treats keyed requests. The zero value of each field
// means its default.
type Config struct {
	// Lifetime is how long a key may be retried, as GET /v1/config advertises
	// it. Default 30 minutes, at least one second.
	Lifetime time.Duration
	// Grace is how much longer than the lifetime a record is kept, so that the
	// last retry of a slow client still meets it. Default 5 minutes.
	Grace time.Duration
	// Lease is how long a reservation outlives a node that died. It is renewed after a
	// third of that at the latest while a handler runs. Default 30 seconds, at
	// least 10 milliseconds, at most Lifetime plus Grace.
	Lease time.Duration
	// WaitTimeout is how long a request waits for the first attempt with its
	// key before it is told to come back. Default 2 seconds.
	WaitTimeout time.Duration
	// MaxWaiters is how many requests may wait at once; the next ones are told
	// to come back right away. Default 1000.
	MaxWaiters int
	// ExecutionTimeout is how long a keyed handler may run. Its context ends
	// then, and not when the client hangs up. Default 60 seconds.
	ExecutionTimeout time.Duration
	// InProgressStatus is what a request gets whose first attempt still runs.
	// Default InProgressAuto.
	InProgressStatus InProgressStatus
	// StaleKey says what becomes of a key that was made longer ago than
	// Lifetime plus Grace and has no record. Default StaleKeyExecute.
	StaleKey StaleKey
	// OnStoreError says what becomes of a keyed request when the store cannot
	// be reached before the handler ran. Default StoreErrorFail.
	OnStoreError OnStoreError
	// MaxStoredBody is the size in bytes up to which a response body is stored.
	// A larger one reaches its client and cannot be replayed, unless the
	// handler summarizes it. Default 16 MiB, at most 1 GiB.
	MaxStoredBody int64
	// MaxRequestBody is the size in bytes of the largest request body. Default
	// DefaultMaxRequestBody.
	MaxRequestBody int64
	// AnyUUIDVersion accepts keys that are UUIDs of another version than 7.
	AnyUUIDVersion bool
	// Mode is how mutations are executed. Default ModeTwoPhase.
	Mode Mode
	// ReadOnly names, by ID, operations that take a key although their handlers
	// change nothing in the store's database, such as planTableScan. In
	// ModeTransactional they run ahead of the transaction that records their
	// outcome, so that none is held open while slow storage is read. Twins on
	// several nodes may then each run; all answer with the first that recorded.
	ReadOnly []string

	// Volatile says that the store's records end with the process, as those of
	// store/memory do, while the backend's state does not. A key that was made
	// before this guard, by its own timestamp, and may still be retried, might then
	// have been executed by the process before: a 4xx is not conclusive for it, as
	// after a lost attempt.
	Volatile bool

	// Authorize decides whether a caller may make a request, for every
	// operation, keyed or not, first attempt or replay alike, and before a
	// record is looked up. An Error is answered as it is, any other error as a
	// 403 that does not quote it. It may be asked about a table that the first
	// attempt has dropped. Nil allows everything.
	Authorize func(ctx context.Context, req *Request) error
	// Reconcile tells what became of an attempt that was lost in a crash or
	// ended in an unclear failure, before its key is executed again, and once
	// more if that gives a 4xx. Nil can never tell. See Fate. ModeTransactional
	// loses no attempt and does not ask.
	Reconcile func(ctx context.Context, req *Request) (Fate, Response, error)
	// Replayer rebuilds responses from the summaries that handlers store by
	// Summarize. Without one, a summary cannot be replayed.
	Replayer Replayer
	// Observer is told what the guard does, for metrics and traces. Nil tells
	// nobody.
	Observer Observer
	// Logger takes what clients are not told. Default slog.Default().
	Logger *slog.Logger
	// Now is the clock that a key's embedded time is compared with. It gives
	// hints and decides nothing that correctness rests on; leases and expiry
	// go by the store's clock. Default time.Now.
	Now func() time.Time
}

// InProgressStatus chooses the answer to a request whose first attempt still
// runs. Each comes with Retry-After.
type InProgressStatus string

// The Java client takes a 409 on a commit for a clean failure and deletes the
// files of a commit that may yet succeed, while it resends by itself on a 503.
// Auto answers 503 where the document declares that the state of the commit can
// be unknown, and 409 elsewhere.
const (
	InProgressAuto InProgressStatus = "auto"
	InProgress409  InProgressStatus = "409"
	InProgress503  InProgressStatus = "503"
)

// StaleKey chooses between running and refusing a request whose key is too old
// to have a record.
type StaleKey string

// Executing is what the Java reference does. Rejecting is a 400.
const (
	StaleKeyExecute StaleKey = "execute"
	StaleKeyReject  StaleKey = "reject"
)

// OnStoreError chooses what happens when the store is out of reach before the
// handler ran.
type OnStoreError string

// Fail answers 503 with Retry-After. Bypass runs the handler as if the request
// had no key, for those who prefer availability to the promise.
const (
	StoreErrorFail   OnStoreError = "fail"
	StoreErrorBypass OnStoreError = "bypass"
)

// Mode chooses how a mutation and its record come together.
type Mode string

// Two-phase reserves the key, runs the handler and finalizes the record, each on
// its own, with any store. Transactional runs the handler inside the
// transaction that inserts the record; it takes a store.Transactional and a
// backend that writes to the same database.
const (
	ModeTwoPhase      Mode = "two-phase"
	ModeTransactional Mode = "transactional"
)

const (
	defaultLifetime         = 30 * time.Minute
	defaultGrace            = 5 * time.Minute
	defaultLease            = 30 * time.Second
	defaultWaitTimeout      = 2 * time.Second
	defaultMaxWaiters       = 1000
	defaultExecutionTimeout = 60 * time.Second
	defaultMaxStoredBody    = 16 << 20
)

// minLease keeps renewals from filling all of a lease's time.
const minLease = 10 * time.Millisecond

// maxDecodedBody is the largest body that a stored one may decompress to.
const maxDecodedBody = 1 << 30

func (cfg Config) withDefaults() Config {
	orDefault(&cfg.Lifetime, defaultLifetime)
	orDefault(&cfg.Grace, defaultGrace)
	orDefault(&cfg.Lease, defaultLease)
	orDefault(&cfg.WaitTimeout, defaultWaitTimeout)
	orDefault(&cfg.MaxWaiters, defaultMaxWaiters)
	orDefault(&cfg.ExecutionTimeout, defaultExecutionTimeout)
	orDefault(&cfg.InProgressStatus, InProgressAuto)
	orDefault(&cfg.StaleKey, StaleKeyExecute)
	orDefault(&cfg.OnStoreError, StoreErrorFail)
	orDefault(&cfg.MaxStoredBody, defaultMaxStoredBody)
	orDefault(&cfg.MaxRequestBody, DefaultMaxRequestBody)
	orDefault(&cfg.Mode, ModeTwoPhase)
	orDefault(&cfg.Logger, slog.Default())
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return cfg
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// check names the first field that has a bad value.
func (cfg Config) check(s store.Store) error {
	_, transactional := s.(store.Transactional)
	for _, rule := range []struct {
		broken bool
		field  string
		value  any
		want   string
	}{
		{cfg.Lifetime < time.Second, "Lifetime", cfg.Lifetime, "must be at least 1s"},
		{cfg.Grace < 0, "Grace", cfg.Grace, "must not be negative"},
		{cfg.Lease < minLease, "Lease", cfg.Lease, "must be at least 10ms"},
		{cfg.Lease > cfg.Lifetime+cfg.Grace, "Lease", cfg.Lease, "must not exceed Lifetime plus Grace"},
		{cfg.WaitTimeout < 0, "WaitTimeout", cfg.WaitTimeout, "must not be negative"},
		{cfg.MaxWaiters < 0, "MaxWaiters", cfg.MaxWaiters, "must not be negative"},
		{cfg.ExecutionTimeout < 0, "ExecutionTimeout", cfg.ExecutionTimeout, "must not be negative"},
		{
			!oneOf(cfg.InProgressStatus, InProgressAuto, InProgress409, InProgress503),
			"InProgressStatus", cfg.InProgressStatus, "must be auto, 409 or 503",
		},
		{!oneOf(cfg.StaleKey, StaleKeyExecute, StaleKeyReject), "StaleKey", cfg.StaleKey, "must be execute or reject"},
		{
			!oneOf(cfg.OnStoreError, StoreErrorFail, StoreErrorBypass),
			"OnStoreError", cfg.OnStoreError, "must be fail or bypass",
		},
		{
			cfg.MaxStoredBody < 0 || cfg.MaxStoredBody > maxDecodedBody,
			"MaxStoredBody", cfg.MaxStoredBody, "must be between 0 and 1 GiB",
		},
		{cfg.MaxRequestBody < 0, "MaxRequestBody", cfg.MaxRequestBody, "must not be negative"},
		{!oneOf(cfg.Mode, ModeTwoPhase, ModeTransactional), "Mode", cfg.Mode, "must be two-phase or transactional"},
		{cfg.Mode == ModeTransactional && !transactional, "Mode", cfg.Mode, "needs a store that is transactional"},
	} {
		if rule.broken {
			return fmt.Errorf("runtime: Config.%s %s: %v", rule.field, rule.want, rule.value)
		}
	}
	return nil
}

func oneOf[T comparable](value T, allowed ...T) bool {
	for _, a := range allowed {
		if value == a {
			return true
		}
	}
	return false
}
