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
//
// What reads a part of the text takes out and the place where the part begins,
// and returns out with the part's encoding and the place where it ends, or bad.
// Both stay in registers that way, which a third of the time hangs on.
type canonical struct {
	in      []byte
	out     []byte
	members []member
	scratch []byte
}

// bad stands for a place in a text that is not valid JSON.
const bad = -1

// member is where one member of an object, its name first, stands in out.
type member struct{ start, nameEnd, end int }

// json appends the encoding of a whole JSON text to out. It reports false, with
// out as it was, when text is not valid JSON in UTF-8 or nests too deep.
func (c *canonical) json(text []byte) bool {
	start := len(c.out)
	c.in, c.members = text, c.members[:0]
	out, i := c.value(c.out, 0, 0)
	ok := i != bad && c.skipSpace(i) == len(text)
	if !ok {
		out = out[:start]
	}
	c.in, c.out = nil, out
	return ok
}

func (c *canonical) value(out []byte, i, depth int) ([]byte, int) {
	ch, i := c.token(i)
	switch ch {
	case '"':
		return c.string(out, i)
	case '{':
		return c.object(out, i, depth+1)
	case '[':
		return c.array(out, i, depth+1)
	case 't':
		return c.word(out, i, "true")
	case 'f':
		return c.word(out, i, "false")
	case 'n':
		return c.word(out, i, "null")
	}
	return c.number(out, i)
}

func (c *canonical) object(out []byte, i, depth int) ([]byte, int) {
	start, base, sorted := len(out), len(c.members), true
	out = append(out, '{')
	ch, i := c.token(i + 1)
	for closed := ch == '}'; !closed; {
		m := member{start: len(out)}
		if ch, i = c.token(i); ch != '"' || depth > maxJSONDepth {
			return out, bad
		}
		if out, i = c.string(out, i); i == bad {
			return out, bad
		}
		m.nameEnd = len(out)
		if ch, i = c.token(i); ch != ':' {
			return out, bad
		}
		if out, i = c.value(out, i+1, depth); i == bad {
			return out, bad
		}
		m.end = len(out)
		if n := len(c.members); sorted && n > base {
			sorted = compareNames(out, c.members[n-1], m) <= 0
		}
		c.members = append(c.members, m)
		if ch, i = c.token(i); ch == ',' {
			i++
		} else if closed = ch == '}'; !closed {
			return out, bad
		}
	}
	if !sorted {
		out = c.sort(out, start+1, c.members[base:])
	}
	c.members = c.members[:base]
	return fold(append(out, '}'), start), i + 1
}

func (c *canonical) array(out []byte, i, depth int) ([]byte, int) {
	if depth > maxJSONDepth {
		return out, bad
	}
	start := len(out)
	out = append(out, '[')
	ch, i := c.token(i + 1)
	for closed := ch == ']'; !closed; {
		if out, i = c.value(out, i, depth); i == bad {
			return out, bad
		}
		if ch, i = c.token(i); ch == ',' {
			i++
		} else if closed = ch == ']'; !closed {
			return out, bad
		}
	}
	return fold(append(out, ']'), start), i + 1
}

// sort brings the encoded members, which stand from start to the end of out,
// into the order of their names.
func (c *canonical) sort(out []byte, start int, members []member) []byte {
	if len(members) > fewMembers {
		slices.SortStableFunc(members, func(a, b member) int { return compareNames(out, a, b) })
	} else {
		insertionSort(out, members)
	}
	c.scratch = append(c.scratch[:0], out[start:]...)
	out = out[:start]
	for _, m := range members {
		out = append(out, c.scratch[m.start-start:m.end-start]...)
	}
	return out
}

// fewMembers is up to how many members are sorted by insertion, for which
// package slices is slow.
const fewMembers = 12

func insertionSort(out []byte, members []member) {
	for i, m := range members {
		for ; i > 0 && compareNames(out, m, members[i-1]) < 0; i-- {
			members[i] = members[i-1]
		}
		members[i] = m
	}
}

// compareNames compares encoded names, mostly by the first byte of their text.
func compareNames(out []byte, a, b member) int {
	one, two := out[a.start:a.nameEnd], out[b.start:b.nameEnd]
	if one[0] == two[0] && one[1] != two[1] {
		return int(one[1]) - int(two[1])
	}
	return bytes.Compare(one, two)
}

// fold replaces a large encoding, from start to the end of out, by its digest.
func fold(out []byte, start int) []byte {
	if len(out)-start <= foldAbove {
		return out
	}
	digest := sha256.Sum256(out[start:])
	return append(append(out[:start], '#'), digest[:]...)
}

func (c *canonical) word(out []byte, i int, word string) ([]byte, int) {
	if len(c.in)-i < len(word) || string(c.in[i:i+len(word)]) != word {
		return out, bad
	}
	return append(out, word[0]), i + len(word)
}

// at returns the byte at i, and zero, which JSON has none of, at the end.
func (c *canonical) at(i int) byte {
	if i < len(c.in) {
		return c.in[i]
	}
	return 0
}

// token steps over white space and returns the byte behind it, with its place.
// It is small enough to be inlined, as there mostly is none.
func (c *canonical) token(i int) (byte, int) {
	if i < len(c.in) && c.in[i] > ' ' {
		return c.in[i], i
	}
	i = c.skipSpace(i)
	return c.at(i), i
}

func (c *canonical) skipSpace(i int) int {
	for ; i < len(c.in); i++ {
		switch c.in[i] {
		case ' ', '\n', '\t', '\r':
		default:
			return i
		}
	}
	return i
}
