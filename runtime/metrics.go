package runtime

import (
	"context"
	"time"
)

// Event is something that happened to a keyed request. The values are fit to be
// metric labels: there are few of them and they hold nothing of the request.
type Event string

// The events of a keyed request. Each request ends with exactly one of the first
// group; the second group tells what happened on the way.
const (
	// EventExecuted: the handler ran and its outcome was recorded.
	EventExecuted Event = "executed"
	// EventReplayed: the recorded outcome was answered.
	EventReplayed Event = "replayed"
	// EventReleased: the handler ran, nothing was applied and nothing recorded.
	EventReleased Event = "released"
	// EventUnclear: the handler ran and may have been applied; the next attempt
	// takes the key over.
	EventUnclear Event = "unclear"
	// EventInProgress: the client was told to come back later, since the first
	// attempt still runs or its response cannot be rebuilt just now.
	EventInProgress Event = "in_progress"
	// EventMismatch: the key belongs to another request.
	EventMismatch Event = "mismatch"
	// EventInvalidKey: the header held no acceptable key.
	EventInvalidKey Event = "invalid_key"
	// EventStaleKey: the key was refused for its age.
	EventStaleKey Event = "stale_key"
	// EventUnreplayable: the record holds no response that could be answered.
	EventUnreplayable Event = "unreplayable"
	// EventBypassed: the handler ran without the store, which failed.
	EventBypassed Event = "bypassed"
	// EventRefused: the store failed before the handler ran, or the request
	// could not be read or not be bound to its key.
	EventRefused Event = "refused"

	// EventWaited: the request waited for another one with its key.
	EventWaited Event = "waited"
	// EventTakenOver: a lost attempt's reservation was taken over.
	EventTakenOver Event = "taken_over"
	// EventStoreError: a call of the store failed.
	EventStoreError Event = "store_error"
	// EventLeaseLost: another attempt took the key while the handler ran.
	EventLeaseLost Event = "lease_lost"
	// EventOmitted: the response was recorded without its body.
	EventOmitted Event = "omitted"
)

// StoreCall names a method of the store, as a metric label.
type StoreCall string

// The calls of the store that are measured.
const (
	CallReserve  StoreCall = "reserve"
	CallLoad     StoreCall = "load"
	CallFinalize StoreCall = "finalize"
	CallRelease  StoreCall = "release"
	CallRenew    StoreCall = "renew"
	CallTransact StoreCall = "transact"
)

// Observer is told what a guard does. Its methods are called from many
// goroutines, on the way of requests, and must be quick.
type Observer interface {
	// Observe reports an event of a keyed request and how long after the
	// request's arrival it came.
	Observe(ctx context.Context, op *Operation, event Event, elapsed time.Duration)
	// ObserveStore reports a call of the store, how long it took, and its
	// error, nil for a success. Errors that are sentinels of package store are
	// answers, not failures. Transact includes the time of the handler.
	ObserveStore(ctx context.Context, call StoreCall, elapsed time.Duration, err error)
}
