package runtime

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// string appends the string at i by its decoded text: in quotes when it holds
// none, else preceded by its length. Most strings are plain and short, so that
// they are copied and looked at eight bytes at a time.
func (c *canonical) string(out []byte, i int) ([]byte, int) {
	in, start, mark := c.in, i, len(out)
	out, i = append(out, '"'), i+1
	for i+8 <= len(in) {
		chunk := binary.LittleEndian.Uint64(in[i:])
		out = binary.LittleEndian.AppendUint64(out, chunk)
		marks := special(chunk)
		if marks == 0 {
			i += 8
			continue
		}
		plain := bits.TrailingZeros64(marks) / 8
		i += plain
		if in[i] != '"' {
			break
		}
		return append(out[:len(out)-8+plain], '"'), i + 1
	}
	return c.stringFrom(out[:mark], start, i)
}

// special marks, by its highest bit, the first byte at which scanning a string
// has to look closer: a quote, a backslash, a control character, or one that is
// not ASCII. Marks after the first mean nothing, as a subtraction may have
// borrowed from what follows.
func special(chunk uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, backslash := chunk^ones*'"', chunk^ones*'\\'
	return ((quote-ones)&^quote | (backslash-ones)&^backslash | (chunk-ones*' ')&^chunk | chunk) & highs
}

// stringFrom is string where the text is known to be plain up to i only.
func (c *canonical) stringFrom(out []byte, start, i int) ([]byte, int) {
	in, ascii := c.in, true
	for ; i < len(in); i++ {
		switch ch := in[i]; {
		case ch == '"':
			if !ascii && !utf8.Valid(in[start:i]) {
				return out, bad
			}
			return append(out, in[start:i+1]...), i + 1
		case ch == '\\':
			return c.escaped(out, start+1, i)
		case ch < ' ':
			return out, bad
		case ch >= utf8.RuneSelf:
			ascii = false
		}
	}
	return out, bad
}

// escaped appends a string whose text began at plain and whose first escape is
// at i.
func (c *canonical) escaped(out []byte, plain, i int) ([]byte, int) {
	text := c.scratch[:0]
	for i < len(c.in) {
		switch ch := c.in[i]; {
		case ch == '"' || ch == '\\':
			if !utf8.Valid(c.in[plain:i]) {
				return out, bad
			}
			text = append(text, c.in[plain:i]...)
			if ch == '"' {
				c.scratch = text
				return appendText(out, text), i + 1
			}
			if text, i = c.escape(text, i); i == bad {
				return out, bad
			}
			plain = i
		case ch < ' ':
			return out, bad
		default:
			i++
		}
	}
	return out, bad
}

func appendText(out, text []byte) []byte {
	if bytes.IndexByte(text, '"') >= 0 {
		out = binary.AppendUvarint(append(out, 'L'), uint64(len(text)))
		return append(out, text...)
	}
	return append(append(append(out, '"'), text...), '"')
}

// escape appends what the escape at i stands for.
func (c *canonical) escape(text []byte, i int) ([]byte, int) {
	switch ch := c.at(i + 1); ch {
	case 'u':
		return c.unicodeEscape(text, i)
	case '"', '\\', '/':
		text = append(text, ch)
	case 'b':
		text = append(text, '\b')
	case 'f':
		text = append(text, '\f')
	case 'n':
		text = append(text, '\n')
	case 'r':
		text = append(text, '\r')
	case 't':
		text = append(text, '\t')
	default:
		return text, bad
	}
	return text, i + 2
}

func (c *canonical) unicodeEscape(text []byte, i int) ([]byte, int) {
	high, ok := c.hex4(i)
	switch {
	case !ok:
		return text, bad
	case !utf16.IsSurrogate(high):
		return utf8.AppendRune(text, high), i + escapeLength
	}
	if low, ok := c.hex4(i + escapeLength); ok {
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return utf8.AppendRune(text, r), i + 2*escapeLength
		}
	}
	return appendSurrogate(text, high), i + escapeLength
}

// escapeLength is that of an escape such as \u00e9.
const escapeLength = 6

// hex4 reads an escape of four hexadecimal digits.
func (c *canonical) hex4(i int) (rune, bool) {
	if len(c.in)-i < escapeLength || c.in[i] != '\\' || c.in[i+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, ch := range c.in[i+2 : i+escapeLength] {
		switch {
		case '0' <= ch && ch <= '9', 'a' <= ch && ch <= 'f', 'A' <= ch && ch <= 'F':
			r = r<<4 | rune(unhex(ch))
		default:
			return 0, false
		}
	}
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

// number appends the exact decimal value of the number at i: its sign, its
// digits without outer zeros, and the power of ten they are multiplied by. A
// float would make 2^53 and 2^53+1 one number.
func (c *canonical) number(out []byte, i int) ([]byte, int) {
	start, mark := i, len(out)
	negative := c.at(i) == '-'
	if negative {
		i++
	}
	whole := c.digits(i)
	if len(whole) == 0 || len(whole) > 1 && whole[0] == '0' {
		return out, bad
	}
	i += len(whole)
	if next := c.at(i); next != '.' && next|0x20 != 'e' && !negative && whole[len(whole)-1] != '0' {
		return append(append(append(out, '+'), whole...), 'e', 0), i // as most numbers are
	}
	var fraction []byte
	if c.at(i) == '.' {
		if fraction = c.digits(i + 1); len(fraction) == 0 {
			return out, bad
		}
		i += 1 + len(fraction)
	}
	exponent, exact := int64(0), true
	if ch := c.at(i); ch == 'e' || ch == 'E' {
		if exponent, exact, i = c.exponent(i + 1); i == bad {
			return out, bad
		}
	}
	out = appendDecimal(out, negative, whole, fraction, exponent)
	if !exact && out[mark] != '0' {
		// An exponent beyond reason is compared as it is spelled.
		out = binary.AppendUvarint(append(out[:mark], 'N'), uint64(i-start))
		out = append(out, c.in[start:i]...)
	}
	return out, i
}

func appendDecimal(out []byte, negative bool, whole, fraction []byte, exponent int64) []byte {
	mark := len(out)
	if negative {
		out = append(out, '-')
	} else {
		out = append(out, '+')
	}
	digits := len(out)
	if whole[0] != '0' {
		out = append(out, whole...)
		out = append(out, fraction...)
	} else {
		for len(fraction) > 0 && fraction[0] == '0' {
			fraction, exponent = fraction[1:], exponent-1
		}
		out = append(out, fraction...)
	}
	exponent -= int64(len(fraction))
	for len(out) > digits && out[len(out)-1] == '0' {
		out, exponent = out[:len(out)-1], exponent+1
	}
	if len(out) == digits {
		return append(out[:mark], '0')
	}
	return binary.AppendVarint(append(out, 'e'), exponent)
}

// exponent reads an exponent, of which the e is read. It is exact unless it has
// too many digits to be read as a number.
func (c *canonical) exponent(i int) (value int64, exact bool, end int) {
	sign := c.at(i)
	if sign == '+' || sign == '-' {
		i++
	}
	digits := c.digits(i)
	if len(digits) == 0 {
		return 0, false, bad
	}
	end = i + len(digits)
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if len(digits) > maxExponentDigits {
		return 0, false, end
	}
	for _, ch := range digits {
		value = value*10 + int64(ch-'0')
	}
	if sign == '-' {
		value = -value
	}
	return value, true, end
}

func (c *canonical) digits(start int) []byte {
	i := start
	for i < len(c.in) && '0' <= c.in[i] && c.in[i] <= '9' {
		i++
	}
	return c.in[start:i]
}
