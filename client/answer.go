package client

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/onceberg/onceberg/runtime"
)

const (
	// maxRefusal is how much is read of an answer that only says to come again.
	maxRefusal = 64 << 10
	// maxTrusted is how much memory a claimed length alone may take.
	maxTrusted = 4 << 20
)

// answer is what came of an attempt.
type answer struct {
	response   *http.Response // nil when none came
	whole      bool           // its body is in memory
	retryAfter time.Duration  // 0 when it asks for no pause
	cause      error          // why it settles nothing, nil when it does
	again      bool           // another attempt may help
	doubt      bool           // the mutation may have been applied
}

// read reads a response and has it judged. When it settles the request, its body
// is there for the caller.
func read(response *http.Response, limit int64, judge func(a *answer, text []byte)) answer {
	a := answer{response: response}
	status := response.StatusCode
	if transient(status) {
		defer response.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
		a.cause, a.again, a.doubt = statusError(response, text), true, abandoned(status)
		return a
	}
	if !success(status) {
		limit = max(limit, maxRefusal)
	}
	text, err := readUpTo(response.Body, limit, response.ContentLength)
	a.whole = int64(len(text)) < limit
	if err == nil && a.whole {
		err = complete(response, text)
	}
	if err != nil {
		_ = response.Body.Close()
		a = lost(fmt.Errorf("the answer %d was cut off: %w", status, err), false)
		return a
	}
	rest := response.Body
	if a.whole {
		_ = rest.Close()
		response.Body = io.NopCloser(bytes.NewReader(text))
	} else {
		response.Body = prefixed{io.MultiReader(bytes.NewReader(text), rest), rest}
	}
	if judge(&a, text); a.cause != nil {
		_ = response.Body.Close()
	}
	return a
}

// readUpTo reads to the end or the limit. The size is what the other side claims,
// and is trusted as far as that costs little.
func readUpTo(r io.Reader, limit, size int64) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(int(min(max(size, 0), limit, maxTrusted)) + bytes.MinRead)
	_, err := text.ReadFrom(io.LimitReader(r, limit))
	return text.Bytes(), err
}

// judge tells whether an answer settles a mutation. One that does not show that it
// is the catalog's may come from something on the way: a success of that kind is
// none, and a refusal says nothing about an earlier attempt, nor does one that is
// not the operation's own. The caller would take it for a failure.
func (a *answer) judge(text []byte, inDoubt bool) {
	status, replayed := a.response.StatusCode, replayed(a.response)
	if success(status) {
		if a.whole && !replayed && !isJSON(a.response, text) {
			a.cause, a.again, a.doubt = &StatusError{Status: status, Foreign: true}, true, true
		}
		return
	}
	refusal := statusError(a.response, text)
	switch {
	case status == http.StatusConflict && refusal.Type == runtime.TypeInProgress:
		a.cause, a.again, a.doubt = refusal, true, true
	case !inDoubt:
	case !runtime.Final(status) || refusal.Type == runtime.TypeKeyReused:
		a.cause = refusal
	case refusal.Foreign && !replayed:
		a.cause, a.again = refusal, true
	}
}

func success(status int) bool { return status >= 200 && status <= 299 }

// statusClosed is what some gateways answer when they give up a request that the
// server may be at work on.
const statusClosed = 499

// transient reports whether a status asks for another attempt, or comes from
// something on the way that does not know what became of this one. 501 and 505
// are answers of a server that did not try and never will.
func transient(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, statusClosed:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= http.StatusInternalServerError
}

// abandoned reports whether the mutation may have been applied behind a transient
// status.
func abandoned(status int) bool {
	return status == http.StatusRequestTimeout || status == statusClosed || status >= http.StatusInternalServerError
}

// complete finds out a cut that the protocol does not show: the end of a body
// without length and chunks is wherever the connection ends.
func complete(response *http.Response, text []byte) error {
	if response.ProtoMajor != 1 || response.ContentLength >= 0 || len(response.TransferEncoding) > 0 || response.Uncompressed {
		return nil
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if (kind == "application/json" || strings.HasSuffix(kind, "+json")) && !json.Valid(text) {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// lost is the answer that did not come. Nothing was sent if no connection was to
// be had.
func lost(err error, unconnected bool) answer {
	permanent := hopeless(err)
	var op *net.OpError
	dialing := errors.As(err, &op) && op.Op == "dial"
	return answer{cause: err, again: !permanent, doubt: !(unconnected && (dialing || permanent))}
}

// hopeless reports whether the server's TLS is not what it has to be.
func hopeless(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	return errors.As(err, &certificate) || errors.As(err, &record) || errors.Is(err, http.ErrSchemeMismatch)
}
