// Package store is the storage SPI of onceberg: what the runtime needs from
// whatever keeps idempotency records, and nothing of how it is kept.
//
// A record lives through three states. Reserve creates it, reserved: one
// attempt holds the key under a lease, fenced by a random token. Finalize makes
// it final: an outcome is stored, and every later request with the key is
// answered from it. When its retention has passed since its last change, it
// counts as absent, and PurgeExpired may delete it. Release is the way back from
// reserved to absent, for attempts that came to nothing.
//
//	          Reserve               Finalize
//	absent ------------> reserved ------------> final
//	   ^                  |    ^ \                |
//	   |    Release       |    |_/ Renew,         |
//	   +------------------+        takeover       |
//	   +------------------------------------------+
//	                    expiry
//
// A reservation whose lease runs out is not forgotten: the next Reserve takes it
// over, in one step and under a new token, and says so, because the attempt that
// was lost may have changed the catalog. The old token is worthless from then
// on; whoever presents it gets ErrLeaseLost.
//
// A store that shares its database with the backend can do better: Transactional
// runs the backend's writes and the record in one transaction, so that no
// reservation needs to exist at all.
//
// Package storetest holds the suite that every implementation must pass,
// third-party ones too. The implementations here are store/memory, for a single
// node, and store/sqlstore.
package store
