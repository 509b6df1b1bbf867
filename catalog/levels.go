package catalog

import (
	"strings"
	"unicode/utf8"

	"github.com/onceberg/onceberg/catalog/database"
	"github.com/onceberg/onceberg/runtime"
)

// levels is the name of a namespace, outermost level first.
type levels []string

// String joins the levels by dots, as messages do. It tells no two names apart
// and is for reading only.
func (l levels) String() string { return strings.Join(l, ".") }

// check refuses names that could not be addressed later: no level at all, an
// empty level, or one that holds the separator itself.
func (l levels) check() *runtime.Error {
	if len(l) == 0 {
		return badRequest("Namespace is empty")
	}
	for _, level := range l {
		switch {
		case level == "":
			return badRequest("Namespace has an empty level: %q", []string(l))
		case notAllowed(level):
			return badRequest("Namespace has a level with a character that is not allowed: %q", level)
		}
	}
	if size := len(database.Encode(l)); size > database.MaxNamespace {
		return badRequest("Namespace is %d bytes long, more than %d", size, database.MaxNamespace)
	}
	return nil
}

// notAllowed reports whether a name has what no database or no URL can hold.
func notAllowed(name string) bool {
	return strings.ContainsAny(name, unitSeparator+"\x00") || !utf8.ValidString(name)
}
