package specimport

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Error says what is wrong with a source document and where. Import returns it
// for every fault of the document itself. It does not name the file, which
// Import never sees; callers add that.
type Error struct {
	// Line is the line of the fault, counted from 1; 0 when the parser did not
	// tell.
	Line int
	// Pointer is the JSON pointer (RFC 6901) of the fault, "" for the whole
	// document.
	Pointer string
	// Reason says what is wrong, without the place.
	Reason string
}

// Error renders the place, as far as it is known, and the reason.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, "%s: ", e.Pointer)
	}
	b.WriteString(e.Reason)
	return b.String()
}

func faultAt(n *yaml.Node, at *trail, format string, args ...any) error {
	return &Error{Line: n.Line, Pointer: at.String(), Reason: fmt.Sprintf(format, args...)}
}

// trail is the way from the root to a node, linked backwards: the pointer's text
// is needed for errors only, so it is not built before.
type trail struct {
	up    *trail
	key   string
	depth int
}

func (t *trail) to(key string) *trail {
	return &trail{up: t, key: key, depth: t.level() + 1}
}

func (t *trail) toItem(i int) *trail { return t.to(strconv.Itoa(i)) }

func (t *trail) level() int {
	if t == nil {
		return 0
	}
	return t.depth
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func (t *trail) String() string {
	if t == nil {
		return ""
	}
	return t.up.String() + "/" + pointerEscapes.Replace(t.key)
}
