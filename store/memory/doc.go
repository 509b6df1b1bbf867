// Package memory is the store for a single node: it keeps idempotency records in
// the process and forgets them when it ends. Nothing is shared with other nodes,
// and a restart makes every key new again; whoever cannot accept that uses
// store/sqlstore.
//
// # The bound
//
// A Store holds at most Options.MaxEntries records, exactly. Reservations are in
// a map of their own and never leave it except by Finalize, Release or the end of
// their retention, because forgetting one would let a mutation run twice at the
// same time. When a new key finds the store full, the store gives up, in this
// order: a record that has expired; with WhenFull Evict, the final record worth
// least; and otherwise the new key, with store.ErrFull.
//
// An evicted record was still promised to its client: the retry that would have
// been answered from it executes again. So evictions are counted (Evictions) and
// reported (Options.OnEvict), and MaxEntries should be sized so that there are
// none: mutations per second times the retention in seconds.
//
// # Which record is worth least
//
// Final records are in an otter cache, which ranks them by W-TinyLFU. The ranking
// alone would not do. Almost every key is written once and never read, so all
// have the same frequency, and W-TinyLFU then prefers what it already has to what
// is new: with 10,000 entries and a steady stream of new keys, nine in ten of the
// latest thousand records are gone while older ones stay. Retries arrive within
// seconds, so those are exactly the records that count. The store therefore never
// lets the cache evict by itself; it asks for the ranking and takes the coldest
// record that does not belong to the newer half. Of the older half, keys that
// were replayed stay longest.
//
// # Time
//
// There is one clock, Options.Clock, and every lease and every expiry is decided
// by it. The default, time.Now, carries a monotonic reading, so that a step of
// the wall clock ends no lease early. There is no background work: whoever owns
// the store calls PurgeExpired from time to time.
//
// One mutex guards everything. It is held for less than a microsecond at a time,
// which is far less than the request around it takes.
package memory
