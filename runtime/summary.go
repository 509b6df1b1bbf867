package runtime

import (
	"context"
	"net/http"
)

// Response writes one response. The visit methods of generated responses have
// this form, so a Replayer can return resp.VisitUpdateTableResponse.
type Response func(w http.ResponseWriter) error

// Replayer rebuilds responses from summaries. A backend that stores summaries
// implements it.
type Replayer interface {
	// Replay returns the success response that a summary of this operation
	// stands for. It may show a newer state than the first answer did, and may
	// vend fresh credentials. The status must be the one that was recorded. The
	// header of the response wins over what was recorded. An error is answered
	// as a failure of the server, whatever its own status: the mutation did
	// take place.
	Replay(ctx context.Context, op *Operation, summary []byte) (Response, error)
}

// Summarize hands the guard what is stored instead of the response body: enough
// for the Replayer to rebuild it, such as the location of a table's metadata.
// Handlers call it before they answer a success; on any other answer, and on
// requests without a key, it has no effect. The payload must hold no secret and
// must not be changed afterwards. The last call counts.
func Summarize(ctx context.Context, payload []byte) {
	if ex := exchangeOf(ctx); ex != nil {
		ex.summary = payload
		ex.summarized = true
	}
}

// Key returns the canonical idempotency key under which a handler runs, empty
// when it runs without one.
func Key(ctx context.Context) string {
	if ex := exchangeOf(ctx); ex != nil {
		return ex.key
	}
	return ""
}

// TakenOver reports whether the request being executed was attempted before and
// that attempt was lost, so that its mutation may have been applied already.
func TakenOver(ctx context.Context) bool {
	ex := exchangeOf(ctx)
	return ex != nil && ex.takenOver
}
