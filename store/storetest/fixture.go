package storetest

import (
	"crypto/rand"
	"crypto/sha256"
	"net/http"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/store"
)

// newClaim returns a claim on a fresh key. Nothing of it runs out.
func newClaim() store.Claim {
	key := uuid.Must(uuid.NewV7()).String()
	return store.Claim{
		Key:   key,
		Token: store.NewToken(),
		Binding: store.Binding{
			Operation: "updateTable ns.orders",
			Principal: sha256.Sum256([]byte("alice")),
			Request:   sha256.Sum256([]byte("a request with key " + key)),
		},
		Lease:  long,
		Retain: long,
		Audit:  "node a",
	}
}

// again returns the claim of another attempt at the same request.
func again(claim store.Claim) store.Claim {
	claim.Token = store.NewToken()
	return claim
}

// success returns an outcome as most have it.
func success() store.Outcome {
	return store.Outcome{
		Status: http.StatusOK,
		Header: http.Header{
			"Content-Type": {"application/json"},
			"ETag":         {`"5"`},
		},
		Kind:    store.KindBody,
		Payload: []byte(`{"metadata-location":"s3://warehouse/ns/orders/00001.metadata.json"}`),
	}
}

// conflict returns the outcome of a request that could not be granted.
func conflict() store.Outcome {
	return store.Outcome{
		Status:  http.StatusConflict,
		Header:  http.Header{"Content-Type": {"application/json"}},
		Kind:    store.KindBody,
		Payload: []byte(`{"error":{"message":"stale","type":"CommitFailedException","code":409}}`),
	}
}

// withoutPayload returns the rest of an outcome, with an empty header for a
// missing one, since a store need not tell the two apart.
func withoutPayload(o store.Outcome) store.Outcome {
	if o.Header == nil {
		o.Header = http.Header{}
	}
	o.Payload = nil
	return o
}

// randomBytes returns n bytes that do not compress.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return b
}
