package runtime

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// checker walks a text once, shape in hand. Nothing is allocated for a text that
// fits, but for deep ones the way to where it is.
type checker struct {
	shapes Shapes
	in     scanner
	way    []step
	// hidden are the parts of the text that decoding must not see.
	hidden []span
	// ahead is how many bytes may still be read ahead in search of
	// discriminators: an object whose discriminator stands last is read twice,
	// and what it contains once for each level.
	ahead int
}

// step leads to a member by its name, or to an element by its index.
type step struct {
	name  span
	index int
}

// value checks the value that follows. Null is always admitted where it stands
// for an absent member, that is, where a value is not needed.
func (c *checker) value(name string, needed bool) error {
	shape, known := c.shapes[name]
	orNull := shape.NullOr != ""
	if orNull {
		shape, known = c.shapes[shape.NullOr]
	}
	kind := c.in.kind()
	switch {
	case !known:
	case kind == JSONNull:
		if needed && !orNull && !shape.admits(JSONNull) {
			return c.bad("must not be null")
		}
	case !shape.admits(kind):
		return c.bad("must be " + shape.Types.String() + ", not " + kind.String())
	case kind == JSONInteger && shape.Types&JSONInteger != 0 && !c.in.fitsInt64():
		return c.bad("is out of range")
	case kind == JSONObject && shape.describesMembers():
		return c.object([]Shape{shape})
	case kind == JSONArray && shape.Items != "":
		return c.array(shape.Items)
	}
	c.in.skip()
	return nil
}

func (s Shape) admits(kind JSONType) bool {
	return s.Types == 0 || s.Types&kind != 0 || kind == JSONInteger && s.Types&JSONNumber != 0
}

func (s Shape) describesMembers() bool {
	return s.Members != nil || s.Values != "" || s.Discriminator != "" || len(s.Required) > 0
}

func (c *checker) array(items string) error {
	c.way = append(c.way, step{})
	here := len(c.way) - 1
	for more := c.in.enter(); more; more = c.in.next() {
		if err := c.value(items, true); err != nil {
			return err
		}
		c.way[here].index++
	}
	c.way = c.way[:here]
	return nil
}

// object checks an object against shapes that apply together: one, and the
// variants that its discriminators pick.
func (c *checker) object(shapes []Shape) error {
	for last := shapes[0]; last.Discriminator != "" && len(shapes) <= maxVariants; {
		variant, err := c.variant(last)
		if err != nil {
			return err
		}
		last = c.shapes[variant]
		shapes = append(shapes, last)
	}
	c.way = append(c.way, step{})
	here, start, seen := len(c.way)-1, c.in.pos, uint64(0)
	kept, comma := false, span{}
	for more := c.in.enter(); more; more = c.in.next() {
		name := c.in.name()
		c.way[here].name = name
		hide, err := c.member(shapes, c.text(name), &seen)
		if err != nil {
			return err
		}
		if hide && kept {
			c.hidden = append(c.hidden, comma)
		}
		comma = c.in.comma()
		if hide {
			c.hidden = append(c.hidden, span{name.start - 1, c.in.pos})
			if !kept {
				c.hidden = append(c.hidden, comma)
			}
		}
		kept = kept || !hide
	}
	c.way = c.way[:here]
	return c.missing(shapes, seen, start)
}

// maxVariants bounds unions of unions of unions, which a document may make
// circular.
const maxVariants = 8

// member checks one member. It is to be hidden when its name only looks like a
// known one.
func (c *checker) member(shapes []Shape, name string, seen *uint64) (hide bool, err error) {
	required := indexRequired(shapes, name)
	if required >= 0 && required < 64 {
		*seen |= 1 << required
	}
	if required >= 0 && c.in.kind() == JSONNull && !c.mayBeNull(shapes, name) {
		return false, c.bad("is required and must not be null")
	}
	start, described := c.in.pos, false
	for _, shape := range shapes {
		inner, known := shape.Members[name]
		if !known && shape.Open {
			inner, known = shape.Values, true
		}
		if !known {
			continue
		}
		c.in.pos, described = start, true
		if err := c.value(inner, required >= 0 || shape.Open); err != nil {
			return false, err
		}
	}
	if described {
		return false, nil
	}
	c.in.skip()
	return inOtherCase(shapes, name), nil
}

// indexRequired gives the place of a name among all that are required, or -1.
func indexRequired(shapes []Shape, name string) int {
	i := 0
	for _, shape := range shapes {
		for _, required := range shape.Required {
			if required == name {
				return i
			}
			i++
		}
	}
	return -1
}

func (c *checker) mayBeNull(shapes []Shape, name string) bool {
	for _, shape := range shapes {
		inner, known := c.shapes[shape.Members[name]]
		if known && inner.NullOr == "" && !inner.admits(JSONNull) {
			return false
		}
	}
	return true
}

func inOtherCase(shapes []Shape, name string) bool {
	for _, shape := range shapes {
		for known := range shape.Members {
			if strings.EqualFold(known, name) {
				return true
			}
		}
	}
	return false
}

// missing finds a required member that was not seen. Those beyond the first 64
// are looked for in the object that begins at start.
func (c *checker) missing(shapes []Shape, seen uint64, start int) error {
	i := 0
	for _, shape := range shapes {
		for _, name := range shape.Required {
			if i < 64 && seen&(1<<i) == 0 && indexRequired(shapes, name) == i || i >= 64 && !c.has(name, start) {
				return c.badMember(name, "is required")
			}
			i++
		}
	}
	return nil
}

func (c *checker) has(name string, start int) bool {
	in := scanner{text: c.in.text, pos: start}
	for more := in.enter(); more; more = in.next() {
		if c.text(in.name()) == name {
			return true
		}
		in.skip()
	}
	return false
}

// variant reads ahead to the discriminator of the object that follows, and gives
// the shape that it picks.
func (c *checker) variant(shape Shape) (name string, err error) {
	in := c.in
	defer func() { c.ahead -= in.pos - c.in.pos }()
	if c.ahead < 0 {
		return "", c.bad("nests too deep")
	}
	for more := in.enter(); more; more = in.next() {
		if c.text(in.name()) != shape.Discriminator {
			in.skip()
			continue
		}
		if kind := in.kind(); kind != JSONString {
			return "", c.badMember(shape.Discriminator, "must be a string, not "+kind.String())
		}
		value := c.text(in.string())
		variant, known := shape.Variants[value]
		if !known {
			return "", c.badMember(shape.Discriminator, "has the unknown value "+strconv.Quote(value))
		}
		return variant, nil
	}
	return "", c.badMember(shape.Discriminator, "is required")
}

// text decodes what stands between two quotes.
func (c *checker) text(s span) string {
	raw := c.in.text[s.start:s.end]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	var decoded string
	// The text is valid JSON, so this is as well.
	_ = json.Unmarshal(c.in.text[s.start-1:min(s.end+1, len(c.in.text))], &decoded)
	return decoded
}

// decodable is the text with blanks in place of what is hidden.
func (c *checker) decodable() []byte {
	if len(c.hidden) == 0 {
		return c.in.text
	}
	text := bytes.Clone(c.in.text)
	for _, h := range c.hidden {
		for i := h.start; i < h.end; i++ {
			text[i] = ' '
		}
	}
	return text
}

func (c *checker) bad(problem string) *Error {
	if len(c.way) == 0 {
		return Errorf(http.StatusBadRequest, "", "Request body %s", problem)
	}
	return Errorf(http.StatusBadRequest, "", "Field %s %s", c.pointer(), problem)
}

func (c *checker) badMember(name, problem string) *Error {
	return Errorf(http.StatusBadRequest, "", "Field %s/%s %s", c.pointer(), pointerEscape.Replace(name), problem)
}

// pointer is the JSON pointer of where the checker is.
func (c *checker) pointer() string {
	var b strings.Builder
	for _, s := range c.way {
		b.WriteByte('/')
		if s.name.end > 0 {
			b.WriteString(pointerEscape.Replace(c.text(s.name)))
		} else {
			b.WriteString(strconv.Itoa(s.index))
		}
	}
	return b.String()
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")
