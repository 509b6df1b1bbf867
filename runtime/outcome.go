package runtime

import (
	"bytes"
	"log/slog"
	"net/http"
	"slices"

	"github.com/onceberg/onceberg/store"
)

// replayedHeaders are the response headers that are stored and replayed, spelled
// as they go on the wire: Iceberg's Java client looks for ETag in just that
// spelling.
var replayedHeaders = [...]string{"Content-Type", "ETag", "Location"}

// outcome is what is recorded of the captured answer: a summary if the handler
// gave one, else the body without its secrets, or only the fact that there was
// one if it must not or cannot be stored.
func (k *call) outcome() store.Outcome {
	o := store.Outcome{Status: k.rec.status, Header: storedHeader(k.rec.header), Kind: store.KindBody}
	if k.ex.summarized && success(o.Status) {
		o.Kind, o.Payload = store.KindSummary, k.ex.summary
		return o
	}
	body, ok := k.rec.body.Bytes(), true
	if success(o.Status) && len(body) > 0 && len(k.ex.op.Secrets) > 0 {
		body, ok = cutSecrets(body, k.ex.op.Secrets)
	}
	if !ok || int64(len(body)) > k.g.cfg.MaxStoredBody {
		k.omitted(len(body))
		o.Kind = store.KindOmitted
		return o
	}
	o.Kind, o.Payload = pack(body)
	return o
}

func (k *call) omitted(size int) {
	k.note(EventOmitted)
	k.g.cfg.Logger.Warn("response recorded without its body; a retry cannot be answered with it",
		k.keyAttr(), slog.String("operation", k.ex.op.ID), slog.Int("bytes", size))
}

// plainJSON is the header of most responses. It is shared between records, which
// nobody may change.
var plainJSON = http.Header{"Content-Type": {"application/json"}}

func storedHeader(header http.Header) http.Header {
	if isPlainJSON(header) {
		return plainJSON
	}
	stored := make(http.Header, len(replayedHeaders))
	for _, name := range replayedHeaders {
		if values, ok := header[name]; ok {
			stored[name] = slices.Clone(values)
		}
	}
	return stored
}

func isPlainJSON(header http.Header) bool {
	media := header["Content-Type"]
	return len(media) == 1 && media[0] == "application/json" &&
		(len(header) == 1 || header["ETag"] == nil && header["Location"] == nil)
}

// pack chooses the form in which a body is stored. The result shares no memory
// with body.
func pack(body []byte) (store.Kind, []byte) {
	if len(body) >= compressFrom {
		if packed := compress(body); len(packed) < len(body)-len(body)/8 {
			return store.KindZstd, packed
		}
	}
	return store.KindBody, bytes.Clone(body)
}
