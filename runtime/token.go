package runtime

import (
	"crypto/rand"
	"strconv"
	"sync/atomic"

	"github.com/onceberg/onceberg/store"
)

// tokens draws fencing tokens: a random name for the guard, and a number. They
// are as unlike those of any other guard as random ones, and cost no entropy for
// each request.
type tokens struct {
	guard string
	last  atomic.Uint64
}

func newTokens() *tokens { return &tokens{guard: rand.Text() + "."} }

func (t *tokens) next() store.Token {
	var buffer [48]byte
	text := append(buffer[:0], t.guard...)
	return store.Token(strconv.AppendUint(text, t.last.Add(1), 36))
}
