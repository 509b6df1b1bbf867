package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"
)

// Binding ties a key to the one request it was first sent with. Two bindings
// are the same request when their hashes are equal; Operation is for people.
type Binding struct {
	// Operation is readable: the operation id and its resource, for whoever
	// reads the table. It never takes part in a comparison.
	Operation string
	// Principal is the SHA-256 of the caller's name.
	Principal Hash
	// Request is the SHA-256 of operation, path values, query and body.
	Request Hash
}

// Same reports whether two bindings stand for the same request of the same
// principal.
func (b Binding) Same(other Binding) bool {
	return b.Principal == other.Principal && b.Request == other.Request
}

// Hash is a SHA-256 digest.
type Hash [sha256.Size]byte

// String returns the digest in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Token fences one attempt from every other: a random value that only the
// attempt which drew it can present.
type Token string

// NewToken draws a token of 128 random bits.
func NewToken() Token { return Token(rand.Text()) }

// Outcome is the final answer to a keyed request, as it is stored.
type Outcome struct {
	// Status is the HTTP status, 100 to 599.
	Status int
	// Header holds the response headers worth replaying, spelled as they go on
	// the wire.
	Header http.Header
	// Kind says what Payload is.
	Kind Kind
	// Payload is the response body, compressed or not, or the summary from
	// which the backend rebuilds it. It may be empty. A caller must not change
	// it after handing it over, and nobody may change what a store returns.
	Payload []byte
}

// Kind says what the payload of an outcome is.
type Kind string

// The kinds of payload. Stores keep the kind as text and treat an unknown one as
// ErrCorrupt.
const (
	// KindBody is the response body as it was sent.
	KindBody Kind = "body"
	// KindZstd is the response body, compressed by Zstandard.
	KindZstd Kind = "zstd"
	// KindSummary is a backend's summary of the response.
	KindSummary Kind = "summary"
	// KindOmitted marks a body that was too large to store; Payload is empty
	// and the request can be neither replayed nor executed again.
	KindOmitted Kind = "omitted"
)

// Valid reports whether k is one of the kinds above.
func (k Kind) Valid() bool {
	switch k {
	case KindBody, KindZstd, KindSummary, KindOmitted:
		return true
	}
	return false
}

// Record is what a store holds for a key. It is a value to read: changing it
// changes nothing in the store.
type Record struct {
	// Key is the canonical key.
	Key string
	// Binding is the request the key belongs to.
	Binding Binding
	// Token is the fencing token of the attempt that holds or held the key.
	Token Token
	// Outcome is the final answer, nil while the key is reserved.
	Outcome *Outcome
	// LeaseExpiresAt is when the reservation may be taken over; zero once
	// final. Like every instant here it is by the store's clock.
	LeaseExpiresAt time.Time
	// Lapsed is true of a reservation whose lease had run out when the record
	// was read: whoever held it is lost, and may have been applied.
	Lapsed bool
	// CreatedAt is when the key was first reserved.
	CreatedAt time.Time
	// FinalizedAt is when the outcome was recorded; zero while reserved.
	FinalizedAt time.Time
	// ExpiresAt is when the record starts to count as absent.
	ExpiresAt time.Time
	// Audit is the text the claim brought.
	Audit string
}

// Final reports whether the record holds an outcome.
func (r *Record) Final() bool { return r.Outcome != nil }
