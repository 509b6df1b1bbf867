package runtime

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// special marks the bytes at which scanning a string has to look closer.
var special = func() (table [256]bool) {
	for ch := range table {
		table[ch] = ch < ' ' || ch == '"' || ch == '\\' || ch >= utf8.RuneSelf
	}
	return table
}()

// string appends the string at pos by its decoded text: in quotes when it holds
// none, else preceded by its length.
func (c *canonical) string() bool {
	c.pos++
	in, start, i, ascii := c.in, c.pos, c.pos, true
	for ; i < len(in); i++ {
		ch := in[i]
		if !special[ch] {
			continue
		}
		switch {
		case ch == '"':
			c.pos = i + 1
			c.out = append(c.out, in[start-1:i+1]...)
			return ascii || utf8.Valid(in[start:i])
		case ch == '\\':
			c.pos = i
			return c.escaped(start)
		case ch < ' ':
			return false
		}
		ascii = false
	}
	return false
}

// escaped appends a string whose first escape is at pos; start is where the
// string began.
func (c *canonical) escaped(start int) bool {
	text, plain := c.scratch[:0], start
	flush := func() bool {
		text = append(text, c.in[plain:c.pos]...)
		return utf8.Valid(c.in[plain:c.pos])
	}
	for c.pos < len(c.in) {
		switch ch := c.in[c.pos]; {
		case ch == '"':
			ok := flush()
			c.pos++
			c.scratch = text
			c.appendText(text)
			return ok
		case ch == '\\':
			if !flush() {
				return false
			}
			var ok bool
			if text, ok = c.escape(text); !ok {
				return false
			}
			plain = c.pos
		case ch < ' ':
			return false
		default:
			c.pos++
		}
	}
	return false
}

func (c *canonical) appendText(text []byte) {
	if bytes.IndexByte(text, '"') >= 0 {
		c.out = append(c.out, 'L')
		c.out = binary.AppendUvarint(c.out, uint64(len(text)))
		c.out = append(c.out, text...)
		return
	}
	c.out = append(c.out, '"')
	c.out = append(c.out, text...)
	c.out = append(c.out, '"')
}

// escape appends what the escape at pos stands for.
func (c *canonical) escape(text []byte) ([]byte, bool) {
	if c.pos+1 >= len(c.in) {
		return text, false
	}
	ch := c.in[c.pos+1]
	if ch == 'u' {
		return c.unicodeEscape(text)
	}
	c.pos += 2
	switch ch {
	case '"', '\\', '/':
		return append(text, ch), true
	case 'b':
		return append(text, '\b'), true
	case 'f':
		return append(text, '\f'), true
	case 'n':
		return append(text, '\n'), true
	case 'r':
		return append(text, '\r'), true
	case 't':
		return append(text, '\t'), true
	}
	return text, false
}

func (c *canonical) unicodeEscape(text []byte) ([]byte, bool) {
	high, ok := c.hex4()
	if !ok {
		return text, false
	}
	if utf16.IsSurrogate(high) {
		mark := c.pos
		if low, ok := c.hex4(); ok {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return utf8.AppendRune(text, r), true
			}
		}
		c.pos = mark
		return appendSurrogate(text, high), true
	}
	return utf8.AppendRune(text, high), true
}

// hex4 reads \uXXXX.
func (c *canonical) hex4() (rune, bool) {
	if len(c.in)-c.pos < 6 || c.in[c.pos] != '\\' || c.in[c.pos+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, ch := range c.in[c.pos+2 : c.pos+6] {
		switch {
		case '0' <= ch && ch <= '9', 'a' <= ch && ch <= 'f', 'A' <= ch && ch <= 'F':
			r = r<<4 | rune(unhex(ch))
		default:
			return 0, false
		}
	}
	c.pos += 6
	return r, true
}

// appendSurrogate encodes half a surrogate pair the way UTF-8 would if it
// allowed it: no valid text has these bytes, so each half stays a value of its
// own, where decoders turn all of them into U+FFFD.
func appendSurrogate(text []byte, r rune) []byte {
	return append(text, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

// maxExponentDigits is how many digits of an exponent are read as a number.
const maxExponentDigits = 15

// number appends the exact decimal value of the number at pos: its sign, its
// digits without outer zeros, and the power of ten they are multiplied by. A
// float would make 2^53 and 2^53+1 one number.
func (c *canonical) number() bool {
	start := c.pos
	negative := c.peek() == '-'
	if negative {
		c.pos++
	}
	first := c.pos
	whole := c.digits()
	if len(whole) == 0 || len(whole) > 1 && c.in[first] == '0' {
		return false
	}
	var fraction []byte
	if c.peek() == '.' {
		c.pos++
		if fraction = c.digits(); len(fraction) == 0 {
			return false
		}
	}
	exponent, exact, ok := c.exponent()
	if !ok {
		return false
	}
	mark := len(c.out)
	c.appendDecimal(negative, whole, fraction, exponent)
	if !exact && c.out[mark] != '0' {
		// An exponent beyond reason is compared as it is spelled.
		c.out = append(c.out[:mark], 'N')
		c.out = binary.AppendUvarint(c.out, uint64(c.pos-start))
		c.out = append(c.out, c.in[start:c.pos]...)
	}
	return true
}

func (c *canonical) appendDecimal(negative bool, whole, fraction []byte, exponent int64) {
	mark := len(c.out)
	if negative {
		c.out = append(c.out, '-')
	} else {
		c.out = append(c.out, '+')
	}
	digits := len(c.out)
	if whole[0] != '0' {
		c.out = append(c.out, whole...)
		c.out = append(c.out, fraction...)
	} else {
		for len(fraction) > 0 && fraction[0] == '0' {
			fraction, exponent = fraction[1:], exponent-1
		}
		c.out = append(c.out, fraction...)
	}
	exponent -= int64(len(fraction))
	for len(c.out) > digits && c.out[len(c.out)-1] == '0' {
		c.out, exponent = c.out[:len(c.out)-1], exponent+1
	}
	if len(c.out) == digits {
		c.out = append(c.out[:mark], '0')
		return
	}
	c.out = append(c.out, 'e')
	c.out = binary.AppendVarint(c.out, exponent)
}

// exponent reads an optional exponent. It is exact unless it has too many
// digits to be read as a number.
func (c *canonical) exponent() (value int64, exact, ok bool) {
	if ch := c.peek(); ch != 'e' && ch != 'E' {
		return 0, true, true
	}
	c.pos++
	sign := c.peek()
	if sign == '+' || sign == '-' {
		c.pos++
	}
	digits := c.digits()
	if len(digits) == 0 {
		return 0, false, false
	}
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if len(digits) > maxExponentDigits {
		return 0, false, true
	}
	for _, ch := range digits {
		value = value*10 + int64(ch-'0')
	}
	if sign == '-' {
		value = -value
	}
	return value, true, true
}

func (c *canonical) digits() []byte {
	start := c.pos
	for c.pos < len(c.in) && '0' <= c.in[c.pos] && c.in[c.pos] <= '9' {
		c.pos++
	}
	return c.in[start:c.pos]
}

func (c *canonical) peek() byte {
	if c.pos < len(c.in) {
		return c.in[c.pos]
	}
	return 0
}
