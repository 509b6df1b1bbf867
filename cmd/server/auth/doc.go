// Package auth tells cmd/server who calls and what callers may do.
//
// A request meets it twice, and both times before the guard looks for a record of
// its key. [Auth.Authenticate] stands in front of every catalog call and turns a
// bearer token into a principal: 401 without one that is valid, 503 when the
// issuer that could tell is out of reach. The principal, not the token, is what
// a key is bound to, so that a retry with a renewed token is still the same
// caller's. Then the guard asks [Auth.Authorizer], by way of catalog.Authorize,
// about everything that the request would do: 403 for a right that is not there
// any more, and never the answer that is on record.
//
// # Tokens
//
// A token is one of three things. Static ones are in a file, as digests, each
// with its principal. Issued ones come from the token endpoint, [Auth.Grant],
// where a client of another such file exchanges its secret for a token that this
// server has signed; every node with the same key takes it. And OpenID ones were
// signed by an issuer that go-oidc finds and checks.
//
// Files hold SHA-256 digests and not the slow hashes that passwords need. A slow
// hash makes guessing dear; nobody guesses 256 random bits, and each request
// would pay for it. The documentation shows how to make secrets, and they are to
// be made, not chosen.
//
// # Rules
//
// [Rules] are a short list from a file: a principal, actions, a pattern for
// namespaces and perhaps one for names. Whatever no rule allows is refused. A
// rule decides by names alone, so that it can tell about a table that a first
// attempt has dropped, and so that a refusal says nothing of what there is.
//
// # Reload
//
// [Auth.Reload] reads all files again. What cannot be read stays as it was: a
// mistake must not lock everybody out, nor let anybody in. A file of tokens or
// clients that lists nobody is no mistake, or the last one could not be revoked;
// the log warns of it. Who loses a token, a client or a right has lost it with
// the next request.
package auth
