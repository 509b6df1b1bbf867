// Package memory is the store for a single node: it keeps idempotency records in
// the process and forgets them when it ends. Nothing is shared with other nodes,
// and a restart makes every key new again; whoever cannot accept that uses
// store/sqlstore.
//
// # The bound
//
// A Store holds at most Options.MaxEntries records, exactly, and takes no new key
// while their bodies have Options.MaxBytes. Reservations never leave it except by Finalize, Release or the end of their retention, because
// forgetting one would let a mutation run twice at the same time. When a new key
// finds the store full, the store gives up, in this order: a record that has
// expired; with WhenFull Evict, the final record worth least; and otherwise the
// new key, with store.ErrFull.
//
// An evicted record was still promised to its client: the retry that would have
// been answered from it executes again. So evictions are counted (Evictions) and
// reported (Options.OnEvict), and MaxEntries should be sized so that there are
// none: mutations per second times the retention in seconds, and as many times the
// size of an answer.
//
// # Which record is worth least
//
// Retries arrive within seconds, so the latest records count most: the newer half
// of the final ones is never evicted. Of the older half goes the oldest that was
// not asked for since its turn came last, by the algorithm SIEVE; those that were
// replayed stay, in at most half of the room, until they expire.
//
// A ranking by frequency, as W-TinyLFU of package otter makes it, was here before.
// Almost every key is written once and never read, so it had nothing to rank by,
// and preferred what it already had to what was new; and it took half of the
// store's time.
//
// # Time
//
// There is one clock, Options.Clock, and every lease and every expiry is decided
// by it. The default, time.Now, carries a monotonic reading, so that a step of
// the wall clock ends no lease early. There is no background work: whoever owns
// the store calls PurgeExpired from time to time.
//
// One mutex guards everything. It is held for less than a microsecond as a rule,
// which is far less than the request around it takes. Shards would each have to
// keep a part of the bound, and could refuse a key while others had room.
package memory
