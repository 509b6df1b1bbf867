package clienttest

import (
	"fmt"
	"strconv"
)

// Kind is what a Proxy does to an exchange.
type Kind int

// The kinds of faults. Of those that end the connection, the client sees no
// answer or an incomplete one.
const (
	// Pass hands request and answer on.
	Pass Kind = iota
	// Drop ends the connection; the server gets nothing.
	Drop
	// Lose ends the connection when the server has answered.
	Lose
	// Cut hands on half of the server's answer, of its body if it has one, and
	// ends the connection.
	Cut
	// Reset does as Cut and resets the connection instead of closing it.
	Reset
	// Abandon hands the request on and ends the connection at once, so that the
	// next attempt may meet the first one still running.
	Abandon
	// Duplicate hands the request on twice at the same time, and one of the
	// answers back.
	Duplicate
	// Refuse answers with Fault.Status itself; the server gets nothing. With a 404
	// and a Body that is an ingress while its server restarts.
	Refuse
	// Replace waits for the server's answer and gives Fault.Status instead, as a
	// gateway does that lost its server.
	Replace
)

var kinds = [...]string{"pass", "drop", "lose", "cut", "reset", "abandon", "duplicate", "refuse", "replace"}

// String names the kind.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kinds[k]
}

// Fault is what happens to one request. The zero Fault is none.
type Fault struct {
	Kind Kind
	// Status is the answer of Refuse and Replace.
	Status int
	// RetryAfter is sent with Status; empty sends none.
	RetryAfter string
	// Body is sent with Status, as text of no type; empty sends none.
	Body string
}

// String shows the fault in a test's output.
func (f Fault) String() string {
	text := f.Kind.String()
	if f.Status != 0 {
		text += fmt.Sprintf(" by %d", f.Status)
	}
	if f.RetryAfter != "" {
		text += ", Retry-After " + f.RetryAfter
	}
	if f.Body != "" {
		text += fmt.Sprintf(", %q", f.Body)
	}
	return text
}
