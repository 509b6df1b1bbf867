package conformance

import (
	"bytes"
	"context"
	"fmt"
	"unicode"
)

// reused: a key that was used for one request comes with another, which would
// take effect if it were executed.
func (t *trial) reused(ctx context.Context, f attempt, v variant, what string) error {
	before, err := look(ctx, v)
	if err != nil {
		return err
	}
	got := t.settle(ctx, v.call, with(f.key))
	if err := unchanged(ctx, v, before, what, got); err != nil {
		return err
	}
	switch {
	case got.ok():
		return failf("%s is answered %v, a false success. The catalog shows %q", what, got, before.brief)
	case v.call.refusal != nil && v.call.served(got):
		return failf("%s is not refused for that, but answered as without a key: %v", what, got)
	case f.call.refusal != nil && differ(f.answer, got) == "":
		return failf("%s is given the answer of the first request: %v", what, got)
	case !got.refused():
		return failf("%s is not refused but answered %v", what, got)
	}
	if secret := f.revealed(got); secret != "" {
		return failf("%s is refused with an answer that shows the first one's %s", what, secret)
	}
	return t.retry(ctx, f, "the first request, sent again after that,")
}

// revealed names what a refusal shows of the first answer.
func (f attempt) revealed(refusal answer) string {
	for _, names := range [][]string{{"metadata-location"}, {"metadata", "table-uuid"}, {"metadata", "view-uuid"}, {"plan-id"}} {
		text := f.answer.field(names...)
		if text != "" && bytes.Contains(refusal.body, []byte(text)) {
			return names[len(names)-1]
		}
	}
	return ""
}

// otherOperation uses the key on operations of other kinds: on another thing, and
// on the very one, as a client does next that drops what it has made.
func otherOperation(ctx context.Context, t *trial) error {
	f, err := t.first(ctx)
	if err != nil {
		return err
	}
	asked := false
	if t.op.ID != "createNamespace" && t.needs("createNamespace") == nil {
		asked = true
		name := t.freshNamespace()
		v := variant{makeNamespace(name, nil), t.namespaceState(name)}
		if err := t.reused(ctx, f, v, "createNamespace with the key of "+t.op.ID); err != nil {
			return err
		}
	}
	if f.next.method == "" || !t.advertises(operationOf(f.next)) {
		if !asked {
			return skipf("the server advertises no other operation that would take effect")
		}
		return nil
	}
	what := fmt.Sprintf("%s %s with the key of %s", f.next.method, t.server.path(f.next), t.op.ID)
	return t.reused(ctx, f, variant{f.next, f.state}, what)
}

// otherResource uses the key on the same operation at another path.
func otherResource(ctx context.Context, t *trial) error {
	f, err := t.first(ctx)
	if err != nil {
		return err
	}
	if f.place == nil {
		return skipf("the operation's path names no resource, or there is no second one")
	}
	place, err := f.place(ctx)
	if err != nil {
		return err
	}
	return t.reused(ctx, f, place, "another resource with the same key")
}

// otherBody uses the key on the same operation with another body, or with another
// query where there is no body: with one that is quite another, and with one that
// differs in its last letter, for a server that looks at part of it.
func otherBody(ctx context.Context, t *trial) error {
	f, err := t.first(ctx)
	if err != nil {
		return err
	}
	if f.body == nil {
		return skipf("the operation's request has no body or query that could be another")
	}
	body, err := f.body(ctx)
	if err != nil {
		return err
	}
	if err := t.reused(ctx, f, body, "another body or query with the same key"); err != nil || f.call.body == nil {
		return err
	}
	twisted := f.call
	twisted.body = twist(encode(f.call.body))
	return t.reused(ctx, f, variant{twisted, f.state}, "a body that differs in its last letter, with the same key,")
}

// twist changes the last letter or digit of a body, in which no number and no name of
// a member is the last. Servers need not take what it comes to.
func twist(body []byte) string {
	at := bytes.LastIndexFunc(body, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if at < 0 {
		return string(body)
	}
	twisted := bytes.Clone(body)
	twisted[at] = 'x'
	if body[at] == 'x' {
		twisted[at] = 'y'
	}
	return string(twisted)
}
