package runtime

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"

	"github.com/onceberg/onceberg/store"
)

// Values of the headers that mark a replay. They are shared between responses
// and never changed.
var (
	replayedMark = []string{"true"}
	noStoreMark  = []string{"no-store"}
)

// replay answers with a recorded outcome. What is in the record must be
// answerable as it is; if not, that is said aloud, and nothing is executed or
// made up.
func (k *call) replay(o *store.Outcome) error {
	if o.Status < http.StatusOK || o.Status > 599 || !Final(o.Status) {
		return k.unreplayable("its status is impossible", fmt.Errorf("recorded status %d", o.Status))
	}
	switch o.Kind {
	case store.KindBody:
		return k.replayBody(o, o.Payload)
	case store.KindZstd:
		body, err := decompress(o.Payload)
		if err != nil {
			return k.unreplayable("its body cannot be decoded", err)
		}
		return k.replayBody(o, body)
	case store.KindSummary:
		return k.replaySummary(o)
	case store.KindOmitted:
		return k.unreplayable("its response was too large to be stored", nil)
	}
	return k.unreplayable("its form is not known", fmt.Errorf("recorded kind %q", o.Kind))
}

func (k *call) replayBody(o *store.Outcome, body []byte) error {
	if len(body) > 0 && !bodyAllowed(o.Status) {
		return k.unreplayable("it has a body that its status forbids", nil)
	}
	k.note(EventReplayed)
	w := k.c.Response()
	restoreHeader(w.Header(), o)
	markReplay(w.Header())
	w.WriteHeader(o.Status)
	if len(body) > 0 {
		// A client that is gone cannot be told so.
		_, _ = w.Write(body)
	}
	return nil
}

// replaySummary lets the backend rebuild the response. It is captured first, so
// that a failure half-way is not half an answer.
func (k *call) replaySummary(o *store.Outcome) error {
	if k.g.cfg.Replayer == nil {
		return k.unreplayable("there is no Replayer for its summary", nil)
	}
	rec := captures.Get().(*capture)
	defer rec.free()
	rec.begin(k.c.Echo(), nil)
	if err := k.rebuild(rec, o); err != nil {
		return k.notRebuilt(err)
	}
	rec.finish()
	if rec.status != o.Status {
		return k.unreplayable("it was rebuilt with another status",
			fmt.Errorf("recorded status %d, rebuilt %d", o.Status, rec.status))
	}
	k.note(EventReplayed)
	w := k.c.Response()
	restoreHeader(w.Header(), o)
	maps.Copy(w.Header(), rec.header)
	markReplay(w.Header())
	rec.write(w)
	return nil
}

func (k *call) rebuild(rec *capture, o *store.Outcome) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = newPanicError(value)
		}
	}()
	response, err := k.g.cfg.Replayer.Replay(k.ex.within(k.requestContext()), k.ex.op, o.Payload)
	if err != nil {
		return err
	}
	if response == nil {
		return errors.New("the Replayer returned no response")
	}
	return response(rec)
}

// notRebuilt answers a failure of the Replayer. Whatever it says, the mutation
// took place, so that only a failure of the server may be answered. Nothing is
// wrong with the record when the client hung up or is told to come back.
func (k *call) notRebuilt(err error) error {
	if k.requestContext().Err() != nil {
		return k.inProgress()
	}
	if e, ok := asError(err); ok && e.Status == http.StatusServiceUnavailable {
		k.note(EventInProgress)
		return e
	}
	return k.unreplayable("its response could not be rebuilt", err)
}

// restoreHeader sets the headers that were recorded.
func restoreHeader(header http.Header, o *store.Outcome) {
	delete(header, "Etag")
	for _, name := range replayedHeaders {
		if values, ok := o.Header[name]; ok && (name != "Content-Type" || bodyAllowed(o.Status)) {
			header[name] = values[:len(values):len(values)]
		}
	}
}

// markReplay tells the client, and caches on the way, what the answer is.
func markReplay(header http.Header) {
	header["Idempotency-Replayed"] = replayedMark
	header["Cache-Control"] = noStoreMark
}

// unreplayable answers for a record that holds no response to answer with.
func (k *call) unreplayable(why string, cause error) error {
	k.note(EventUnreplayable)
	k.g.cfg.Logger.Error("record cannot be replayed", k.keyAttr(),
		slog.String("operation", k.ex.op.ID), slog.String("why", why), slog.Any("cause", cause))
	e := Errorf(http.StatusInternalServerError, "",
		"This request was executed before and is not executed again, but its record cannot be replayed: %s", why)
	e.Cause = cause
	return e
}
