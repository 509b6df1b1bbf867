// Package runtime is what generated Iceberg REST handlers call: it reads
// requests, answers errors in Iceberg's form, and applies each keyed mutation
// once.
//
// # A keyed request
//
// A client that sends a mutation with an Idempotency-Key may send it again,
// with the same key and bytes, until it gets an answer. Guard.Handler makes that
// safe. What it does, in order:
//
//   - Authorize. The hook decides about first attempts and replays alike, before
//     anything is looked up: whoever lost a right gets 403 and not the stored
//     answer.
//   - Identify. The key must be one UUIDv7 in its canonical form, of either
//     case; anything else is a 400. It is bound to the operation, the decoded path
//     values, the query, the caller, and the body's JSON value, by hash of them
//     all. The same key with another request is a 422, IdempotencyKeyReusedException,
//     whatever became of the first.
//   - Join the others. Requests with one key in one process share a flight. One
//     leads it, the others wait for what it comes to, bounded in time and number.
//     On other nodes the record is polled instead, once for all who wait.
//   - Claim. Store.Reserve decides: the key is ours, or final, or held by
//     somebody else.
//   - Replay what is final: status, body, Content-Type, ETag and Location, with
//     Idempotency-Replayed: true and Cache-Control: no-store.
//   - Or execute. The handler runs on a context that the client's hanging up does
//     not end, its answer is held back, the outcome is recorded, and only then
//     does the client see it.
//   - Or tell the client to come back: 503 where the document declares that the
//     state of a commit can be unknown, 409 elsewhere, with Retry-After.
//
// # What becomes of the key
//
// An answer that is Final is recorded. A refusal that may turn out otherwise next
// time (401, 403, 408, 419, 421, 425, 429), and a failure that says that nothing
// was applied (501, 503, Error.NotApplied), release the key: the next attempt is
// a first one.
//
// Every other failure, 500, 502, 504, a panic or a missed deadline, leaves it
// open whether the mutation took place. The key is then let go of, and not
// forgotten: the next attempt takes it over, as it would after a crash, and knows
// of the one before. From then on only a success is conclusive. A refusal may be
// the trace of the lost attempt's own success (a create that finds its own table,
// a commit that fails its requirement against itself), and clients clean up files
// after a refusal; so it is answered as 500 CommitStateUnknownException and not
// recorded, unless Config.Reconcile can tell.
//
// After a mutation that succeeded the key is never released. If its record cannot
// be written, the client still gets its true answer; the record is written in the
// background for as long as the key may be retried, its lease is renewed, and
// requests that come meanwhile are told to wait. Should the lease be lost all the
// same, the store's word counts: the fencing token decides whose outcome stands.
//
// In ModeTransactional the handler runs inside the transaction that inserts the
// record. Nothing is reserved, a crash leaves nothing behind, and what is not
// committed certainly did not take place, so nothing above about open ends
// applies, save that a commit whose own answer is lost is answered as 500
// CommitStateUnknownException. So is a refusal over what a two-phase node's lost
// attempt left, where nodes of both forms have shared the database; Reconcile is
// not asked. The handler may run several times for one request.
//
// # What a handler can do
//
// RawBody, PathValue and RawPathValue give it the request as it was sent. An
// *Error chooses status, type and message; other errors and panics become a 500
// that tells the client nothing. Summarize stores a small summary in place of a
// large body, from which Config.Replayer rebuilds the response. Key and TakenOver
// tell under which key it runs and whether an attempt came before. Its response
// is buffered, so it can be neither flushed nor hijacked.
//
// A Guard owns a few goroutines while records are written late or leases renewed;
// Close waits for them.
package runtime
