package conformance

// kinds are all cases, in the order of their columns.
var kinds = []*kind{
	{Case{
		ID: "lifetime", Title: "the lifetime of keys is advertised as a duration", Level: Must, Server: true,
		Sentence: "Client reuse window for an Idempotency-Key (ISO-8601 duration, e.g., PT30M, PT24H)", Place: inLifetime,
	}, lifetime},
	{Case{
		ID: "lifetime-java", Title: "Java clients can read the lifetime", Level: Quality, Server: true,
		Sentence: "Presence of this field indicates the server supports Idempotency-Key semantics", Place: inLifetime,
	}, lifetimeForJava},
	{Case{
		ID: "reads", Title: "reads ignore the key", Level: Should, Server: true,
		Sentence: "Idempotency-Key semantics for mutation endpoints", Place: inLifetime,
	}, readsIgnoreKey},
	{Case{
		ID: "errors", Title: "refusals of keys are Iceberg's errors", Level: Quality, Server: true,
		Sentence: "JSON wrapper for all error responses (non-2xx)", Place: inErrors,
	}, errorForm},
	{Case{
		ID: "lifetime-end", Title: "a key is honoured until the end of its lifetime", Level: Should, Server: true,
		Sentence: "Servers SHOULD accept retries for at least this duration", Place: inLifetime,
	}, lifetimeEnd},
	{Case{
		ID: "crowd", Title: "a key is honoured though many others come", Level: Should, Server: true,
		Sentence: "Servers SHOULD accept retries for at least this duration", Place: inLifetime,
	}, crowd},
	{Case{
		ID: "unkeyed", Title: "without a key nothing changes", Level: Must,
		Sentence: optional, Place: inKey,
	}, unkeyed},
	{Case{
		ID: "replay", Title: "a retry gets an equivalent answer and has no effect", Level: Must,
		Sentence: equivalent, Place: inKey,
	}, replayed},
	{Case{
		ID: "lost-answer", Title: "the answer is lost and the request sent again", Level: Must,
		Sentence: noMoreEffects, Place: inKey,
	}, lostAnswer},
	{Case{
		ID: "hang-up", Title: "the client hangs up and sends the request again", Level: Must,
		Sentence: noMoreEffects, Place: inKey,
	}, hangUp},
	{Case{
		ID: "moved-on", Title: "a retry after others have undone the effect", Level: Must,
		Sentence: equivalent, Place: inKey,
	}, movedOn},
	{Case{
		ID: "twins", Title: "twins at one time have one effect", Level: Must,
		Sentence: noMoreEffects, Place: inKey,
	}, twins},
	{Case{
		ID: "other-operation", Title: "one key on another operation is refused", Level: Should,
		Sentence: unique, Place: inKey,
	}, otherOperation},
	{Case{
		ID: "other-resource", Title: "one key on another resource is refused", Level: Should,
		Sentence: unique, Place: inKey,
	}, otherResource},
	{Case{
		ID: "other-body", Title: "one key with another body or query is refused", Level: Should,
		Sentence: unique, Place: inKey,
	}, otherBody},
	{Case{
		ID: "other-principal", Title: "one key of another principal reveals nothing", Level: Should,
		Sentence: unique, Place: inKey,
	}, otherPrincipal},
	{Case{
		ID: "malformed", Title: "what is no UUIDv7 gets 400 and has no effect", Level: Should,
		Sentence: form, Place: inKey,
	}, malformedKeys},
	{Case{
		ID: "letter-case", Title: "upper and lower case are one key", Level: Should,
		Sentence: "the alphabetic characters may be all uppercase, all lowercase, or mixed case", Place: inUUID,
	}, letterCase},
	{Case{
		ID: "refusal", Title: "a final 4xx is replayed when its cause is gone", Level: Must,
		Sentence: terminal, Place: inKey,
	}, refusalReplayed},
	{Case{
		ID: "login", Title: "a 401 or 403 is not replayed, and nothing is to a stranger", Level: Should,
		Sentence: "deterministic terminal 4xx", Place: inKey,
	}, loginNotReplayed},
	{Case{
		ID: "etag", Title: "a replay has the first answer's ETag", Level: Quality,
		Sentence: equivalent, Place: inKey,
	}, etagReplayed},
}
