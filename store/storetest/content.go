package storetest

import (
	"net/http"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/store"
)

var content = []behaviour{
	{"an empty body", keepBody(nil)},
	{"a body of zero bytes", keepBody([]byte{})},
	{"a binary body", keepBody(everyByte())},
	{"a body of invalid UTF-8", keepBody([]byte("caf\xe9 \xff\xfe \xed\xa0\x80"))},
	{"a body of 16 MiB", keepLargeBody},
	{"every kind of payload", keepKinds},
	{"statuses from 100 to 599", keepStatuses},
	{"headers keep their values and spelling", keepHeader},
	{"no headers", keepNoHeader},
	{"a binding of 10 KiB", keepLongBinding},
	{"an audit text", keepAudit},
	{"no audit text", keepNoAudit},
	{"every hash", keepHashes},
}

func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

// keep executes a fresh key and expects to get the outcome back by Load and by
// Reserve.
func (s *subject) keep(outcome store.Outcome) {
	s.Helper()
	claim := newClaim()
	s.acquire(claim)
	s.finalize(claim, outcome)
	s.final(claim, outcome)
	s.sameFinal(claim, outcome, s.duplicate(again(claim)))
}

func keepBody(body []byte) func(*subject) {
	return func(s *subject) {
		outcome := success()
		outcome.Payload = body
		s.keep(outcome)
	}
}

func keepLargeBody(s *subject) {
	keepBody(randomBytes(16 << 20))(s)
}

func keepKinds(s *subject) {
	for _, kind := range []store.Kind{store.KindBody, store.KindZstd, store.KindSummary} {
		outcome := success()
		outcome.Kind = kind
		s.keep(outcome)
	}
	omitted := success()
	omitted.Kind, omitted.Payload = store.KindOmitted, nil
	s.keep(omitted)
}

func keepStatuses(s *subject) {
	for _, status := range []int{100, 200, 204, 304, 404, 409, 422, 599} {
		outcome := success()
		outcome.Status = status
		s.keep(outcome)
	}
}

// keepHeader uses spellings that http.Header's own methods would change: clients
// look for "ETag", not "Etag".
func keepHeader(s *subject) {
	outcome := success()
	outcome.Header = http.Header{
		"ETag":         {`W/"a,b"`},
		"Content-Type": {"application/json; charset=utf-8"},
		"Location":     {"/v1/namespaces/a%1Fb/tables/caf%C3%A9"},
		"x-lower-case": {"one", "two", "one"},
		"X-Empty":      {""},
		"X-Quoted":     {`"' \ {} [] :, ` + "\t" + `äöü 表`},
	}
	s.keep(outcome)
}

func keepNoHeader(s *subject) {
	for _, header := range []http.Header{nil, {}} {
		outcome := success()
		outcome.Header = header
		s.keep(outcome)
	}
}

// keepLongBinding is a resource in a namespace of many levels, which clients
// separate by 0x1F. Two that differ in the last byte alone are two requests.
func keepLongBinding(s *subject) {
	claim := newClaim()
	claim.Binding.Operation = strings.Repeat("level's \"name\" 表 \\ %_\x1f", 1+10<<10/28)
	s.acquire(claim)
	s.reserved(claim)
	s.finalize(claim, success())
	s.final(claim, success())

	other := newClaim()
	other.Binding.Operation = claim.Binding.Operation + "t"
	s.acquire(other)
	s.reserved(other)
}

func keepAudit(s *subject) {
	claim := newClaim()
	claim.Audit = "first line\nsecond line: it's \"quoted\" \\ ünïcode 表\n"
	s.acquire(claim)
	s.reserved(claim)
	s.finalize(claim, success())
	s.final(claim, success())
}

func keepNoAudit(s *subject) {
	claim := newClaim()
	claim.Audit = ""
	s.acquire(claim)
	s.reserved(claim)
}

// keepHashes uses digests of bytes that text columns do not like.
func keepHashes(s *subject) {
	for _, b := range []byte{0x00, 0x1f, 0x7f, 0x80, 0xff} {
		claim := newClaim()
		for i := range claim.Binding.Request {
			claim.Binding.Request[i], claim.Binding.Principal[i] = b, ^b
		}
		s.acquire(claim)
		if diff := cmp.Diff(claim.Binding, s.duplicate(again(claim)).Binding); diff != "" {
			s.Fatalf("binding (-want +got):\n%s", diff)
		}
	}
}
