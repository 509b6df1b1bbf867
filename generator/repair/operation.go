package repair

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/oapi"
)

// operationIDs gives every operation an id that has a Go name of its own. The id
// never goes over the wire.
func operationIDs(f *fixer) error {
	taken := map[string]document.Pointer{}
	// Operations that have an id keep it in preference to those that get one.
	for at, op := range f.operations() {
		id := op.Get("operationId").Str()
		if name := oapi.TypeName(id); id != "" && isGoName(name) && taken[name] == "" {
			taken[name] = at
		}
	}
	for at, op := range f.operations() {
		id := op.Get("operationId").Str()
		name := oapi.TypeName(id)
		switch {
		case id == "":
			f.nameOperation(at, op, operationName(at), taken, "the operation has no operationId")
		case !isGoName(name):
			f.nameOperation(at, op, operationName(at), taken, fmt.Sprintf("no Go name can be made of the operationId %q", id))
		case taken[name] != at:
			f.nameOperation(at, op, id, taken, fmt.Sprintf("the operationId %q gives the Go name %s, which %s has already", id, name, taken[name].Ref()))
		}
	}
	return nil
}

func isGoName(name string) bool { return token.IsIdentifier(name) && token.IsExported(name) }

func (f *fixer) nameOperation(at document.Pointer, op *document.Node, id string, taken map[string]document.Pointer, why string) {
	unique := id
	for n := 2; taken[oapi.TypeName(unique)] != ""; n++ {
		unique = fmt.Sprintf("%s%d", id, n)
	}
	taken[oapi.TypeName(unique)] = at
	op.Set("operationId", document.NewString(unique))
	f.fixed(at, "%s; it is called %s", why, unique)
}

// operationName is made of method and path.
func operationName(at document.Pointer) string {
	tokens := at.Tokens()
	path, method := tokens[1], tokens[2]
	return method + joined(path)
}

// joined makes one word of the words in a text, each with a capital.
func joined(text string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		first, size := utf8.DecodeRuneInString(word)
		b.WriteString(string(unicode.ToUpper(first)) + word[size:])
	}
	return b.String()
}
