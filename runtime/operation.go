package runtime

// Operation is what the generator knows of one operation and the guard needs to
// serve it. Generated code holds one per operation; it is never changed after
// the program has started.
type Operation struct {
	// ID is the operationId of the document.
	ID string
	// Method is the HTTP method, in upper case.
	Method string
	// Path is the path template of the document, with {name} parameters.
	Path string
	// Idempotent is true when the operation takes an idempotency key, because
	// the document declares the header or the configuration adds it.
	Idempotent bool
	// KeyHeader is the name of the header that carries the key, in canonical
	// form. Empty when not Idempotent.
	KeyHeader string
	// StateUnknown is true when the document declares 500, 502 or 504 as "the
	// state of the commit is unknown" answers: clients keep their files on
	// those, and resend on 503.
	StateUnknown bool
	// OAuthErrors is true when errors of this operation have the form of
	// RFC 6749 section 5.2 instead of Iceberg's.
	OAuthErrors bool
	// Secrets are the fields of success responses that must never be stored.
	Secrets []Secret
}

// Secret names a field of a response body that must not be stored.
type Secret struct {
	// Pointer is a JSON pointer (RFC 6901) into the response body; a segment
	// "*" stands for every element of an array or every member of an object.
	Pointer string
	// Entries is true when the field is a map of settings, of which only the
	// entries that bear a secret are cut. Otherwise the whole field is.
	Entries bool
}

// Endpoint returns the operation in the form GET /v1/config lists it: the
// method, one space, the path template.
func (op *Operation) Endpoint() string { return op.Method + " " + op.Path }
