package runtime

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

// maxJSONDepth is how deep values may nest in a body that is compared as JSON.
// A deeper one is compared byte by byte.
const maxJSONDepth = 512

// foldAbove is the size from which an encoded object or array is replaced by its
// digest. It bounds what sorting has to move at each level, and so keeps the
// whole linear in the size of the body.
const foldAbove = 512

// canonical encodes JSON values so that two texts have the same encoding exactly
// when they are the same value: white space, the order of members, escapes and
// the spelling of numbers leave no trace, all else does. The encoding is
// prefix-free and only ever hashed, never read.
//
// Members that share a name keep their order, since decoders disagree about
// which of them counts.
type canonical struct {
	in      []byte
	pos     int
	out     []byte
	members []member
	scratch []byte
}

// member is where one member of an object, its name first, stands in out.
type member struct{ start, nameEnd, end int }

// json appends the encoding of a whole JSON text to out. It reports false, with
// out as it was, when text is not valid JSON in UTF-8 or nests too deep.
func (c *canonical) json(text []byte) bool {
	start := len(c.out)
	c.in, c.pos, c.members = text, 0, c.members[:0]
	ok := c.value(0)
	if ok {
		c.space()
		ok = c.pos == len(c.in)
	}
	if !ok {
		c.out = c.out[:start]
	}
	c.in = nil
	return ok
}

func (c *canonical) value(depth int) bool {
	c.space()
	if c.pos == len(c.in) {
		return false
	}
	switch c.in[c.pos] {
	case '{':
		return depth < maxJSONDepth && c.object(depth+1)
	case '[':
		return depth < maxJSONDepth && c.array(depth+1)
	case '"':
		return c.string()
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	}
	return c.number()
}

func (c *canonical) object(depth int) bool {
	start, base, sorted := len(c.out), len(c.members), true
	c.out = append(c.out, '{')
	c.pos++
	if c.next('}') {
		c.out = append(c.out, '}')
		return true
	}
	for {
		m, ok := c.member(depth)
		if !ok {
			return false
		}
		if n := len(c.members); sorted && n > base {
			sorted = c.compareNames(c.members[n-1], m) <= 0
		}
		c.members = append(c.members, m)
		if c.next('}') {
			break
		}
		if !c.next(',') {
			return false
		}
	}
	if !sorted {
		c.sort(start+1, c.members[base:])
	}
	c.members = c.members[:base]
	c.out = append(c.out, '}')
	c.fold(start)
	return true
}

func (c *canonical) member(depth int) (m member, ok bool) {
	c.space()
	if c.pos == len(c.in) || c.in[c.pos] != '"' {
		return m, false
	}
	m.start = len(c.out)
	if !c.string() {
		return m, false
	}
	m.nameEnd = len(c.out)
	if !c.next(':') || !c.value(depth) {
		return m, false
	}
	m.end = len(c.out)
	return m, true
}

func (c *canonical) array(depth int) bool {
	start := len(c.out)
	c.out = append(c.out, '[')
	c.pos++
	if !c.next(']') {
		for {
			if !c.value(depth) {
				return false
			}
			if c.next(']') {
				break
			}
			if !c.next(',') {
				return false
			}
		}
	}
	c.out = append(c.out, ']')
	c.fold(start)
	return true
}

// sort brings the encoded members, which stand from start to the end of out,
// into the order of their names.
func (c *canonical) sort(start int, members []member) {
	slices.SortStableFunc(members, c.compareNames)
	c.scratch = append(c.scratch[:0], c.out[start:]...)
	c.out = c.out[:start]
	for _, m := range members {
		c.out = append(c.out, c.scratch[m.start-start:m.end-start]...)
	}
}

// compareNames compares encoded names, mostly by the first byte of their text.
func (c *canonical) compareNames(a, b member) int {
	one, two := c.out[a.start:a.nameEnd], c.out[b.start:b.nameEnd]
	if one[0] == two[0] && one[1] != two[1] {
		return int(one[1]) - int(two[1])
	}
	return bytes.Compare(one, two)
}

// fold replaces a large encoding by its digest.
func (c *canonical) fold(start int) {
	if len(c.out)-start <= foldAbove {
		return
	}
	digest := sha256.Sum256(c.out[start:])
	c.out = append(append(c.out[:start], '#'), digest[:]...)
}

func (c *canonical) word(word string) bool {
	if len(c.in)-c.pos < len(word) || string(c.in[c.pos:c.pos+len(word)]) != word {
		return false
	}
	c.out = append(c.out, word[0])
	c.pos += len(word)
	return true
}

// next consumes ch if it is what follows.
func (c *canonical) next(ch byte) bool {
	c.space()
	if c.pos < len(c.in) && c.in[c.pos] == ch {
		c.pos++
		return true
	}
	return false
}

// space skips white space. It is small enough to be inlined, as there mostly is
// none.
func (c *canonical) space() {
	if c.pos < len(c.in) && c.in[c.pos] <= ' ' {
		c.skipSpace()
	}
}

func (c *canonical) skipSpace() {
	for c.pos < len(c.in) {
		switch c.in[c.pos] {
		case ' ', '\n', '\t', '\r':
			c.pos++
		default:
			return
		}
	}
}
