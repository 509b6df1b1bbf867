// Package client makes any Go client of an Iceberg REST catalog safe against lost
// answers, by one http.RoundTripper.
//
// A client that does not hear what became of its commit can neither repeat it, as
// it may have been applied, nor take it for failed, as it would then delete the
// files that the table now refers to. A server that takes an Idempotency-Key
// leaves it a way out: sent again with the same key, the request is answered with
// what became of it, and not executed twice. Transport goes that way on the
// client's behalf:
//
//	transport, err := client.NewTransport(client.Options{Operations: generated.Operations})
//	...
//	http.Client{Transport: transport}                                     // any client
//	rest.NewCatalog(ctx, name, url, rest.WithCustomTransport(transport))  // iceberg-go
//
// # What gets a key
//
// A request that is one of the declared mutations in the table of operations, to
// a server that advertises idempotency-key-lifetime at the top level of its GET
// /v1/config. The Transport reads that as it passes by, at the end of redirects too;
// if a mutation comes first, it asks, with the mutation's own credentials. Each call
// of RoundTrip makes one key, a UUIDv7. A key that the caller has set is kept, and
// its own time stamp counts. Reads, other operations and other servers get their requests as
// they are, once.
//
// Operations are found by method and raw path, with {prefix} of no, one or
// several segments, below any path that the server's URL has. Where names make
// that ambiguous, the path below a server whose configuration has been seen
// counts, and then the reading that a router would prefer.
//
// # While the configuration cannot be had
//
// A mutation is not sent; it ends in an *Error with no attempts and StateUnknown
// false, which carries what was answered. Only a configuration without the member
// says that there are no keys, and only a configuration is remembered: the next
// mutation asks again. What does not look like a catalog's answer, such as an
// ingress's 404 or a page of HTML, may be over soon and is asked again within
// Options.MaxAttempts. What the catalog itself refuses is not, and neither are 401,
// 403, 407 and 419, even though the mutation might be allowed what the question is
// not: it would go unprotected. Redirects are followed by http.Client's rules,
// but not from https to http. A server that wants parameters, a warehouse for
// instance, has to be asked by the caller first, through the Transport, as every
// client of a catalog does at its start.
//
// # What is sent again
//
// The same bytes with the same key, after
//
//   - an error in place of an answer: no connection, one that broke, no answer
//     within Options.AttemptTimeout. Only a certificate that does not verify ends
//     the matter at once;
//   - an answer that was cut off. It is read to its end before it counts, even
//     one whose length nobody told, as far as JSON shows its end;
//   - 408, 425, 429 and 499;
//   - any 5xx but 501 and 505. Gateways answer 502, 503 and 504, and some more, for
//     a server that has applied the request; and the record of the key tells;
//   - 2xx with a body that is not JSON. A catalog answers JSON or nothing;
//   - once an attempt may have been applied, 400, 404, 409 and the like that do not
//     have Iceberg's error form: an object "error" with a type, and a code that is
//     the status. Ingresses answer so while there is no server behind them. One
//     that is marked Idempotency-Replayed: true needs no form;
//   - 409 with type IdempotencyKeyInProgressException: the first attempt runs.
//
// In between is a pause that doubles, is shortened by chance, and is never less
// than Retry-After says. There is no attempt after Options.MaxAttempts, none after
// the key's lifetime, and none after the deadline of the request's context; and no
// pause that would only end there.
//
// # How it ends
//
// With an answer of the operation itself, success or refusal; or with an *Error,
// inside http.Client's *url.Error. Error.StateUnknown says whether the mutation may
// have been applied. Once it may have been, 401, 403 and other refusals that speak
// of the caller and not of the mutation are not handed on as answers, because
// clients take those for failures: a token that ran out between two attempts
// undoes nothing. net/http may send a keyed request twice by itself, over another
// connection; that counts, too.
//
// Before anything may have been applied, a refusal is handed on as it is, of
// whatever form: who answers 400 or 404 in place of the server has not handed the
// request on. A gateway that answers so after it has, other than by 408 or 499, is
// not guarded against.
//
// Authentication belongs below the Transport, into Options.Base, so that it signs
// each attempt anew; a token or signature that is made above is the same in all.
// http.Client.Timeout and the context's deadline count for all attempts together.
package client
