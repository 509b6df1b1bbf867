package repair

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/oapi"
)

// enumerations lets only those become Go constants that can: values of the
// schema's type of which a name can be made. Null is spoken of by the type.
func enumerations(f *fixer) error {
	f.doc.WalkSchemas(func(p document.Pointer, n *document.Node) {
		if list := n.Get("enum"); list != nil {
			list.Items = slices.DeleteFunc(list.Items, func(v *document.Node) bool { return v.Kind == document.Null })
			if len(list.Items) == 0 {
				n.Delete("enum")
			}
		}
		if isType(n, "number") { // json.Number has no constants
			n.Delete("enum")
			n.Delete("const")
		}
		for _, v := range values(n) {
			if why := noConstant(n, v); why != "" {
				n.Delete("enum")
				n.Delete("const")
				f.fixed(p, "its value %s %s; the Go type has no constants", v.JSON(), why)
				return
			}
		}
		if isType(n, "integer") {
			f.makeRoom(p, n)
		}
	})
	return nil
}

func noConstant(n, value *document.Node) string {
	switch {
	case isType(n, "integer") && (value.Kind != document.Number || strings.ContainsAny(value.Text, ".eE")):
		return "is no integer"
	case isType(n, "boolean") && value.Kind != document.Bool:
		return "is no boolean"
	case oapi.TypeName(value.Text) == "" || strings.ContainsFunc(value.Text, unicode.IsControl):
		return "cannot be named in Go"
	}
	return ""
}

// makeRoom gives an enumeration of integers a type that holds them all. Where no
// integer type of Go does, it is a number, which keeps its digits as they are
// written; that of a parameter would be a float64, so it only loses its
// constants.
func (f *fixer) makeRoom(p document.Pointer, n *document.Node) {
	format := n.Get("format").Str()
	tooLarge := beyond(n, format)
	if tooLarge == nil {
		return
	}
	for _, wider := range []string{"int64", "uint64"} {
		if beyond(n, wider) == nil {
			n.Set("format", document.NewString(wider))
			f.fixed(p, "its value %s is beyond the type %s; the type is %s now", tooLarge.JSON(), integerType(format), wider)
			return
		}
	}
	n.Delete("enum")
	n.Delete("const")
	if !isParameter(p) {
		n.Delete("format")
		types := n.Get("type").Strings()
		types[slices.Index(types, "integer")] = "number"
		n.Set("type", texts(types...))
	}
	f.fixed(p, "its value %s is beyond every integer type of Go; the Go type has no constants", tooLarge.JSON())
}

// beyond finds a value that the Go type of a format does not hold.
func beyond(n *document.Node, format string) *document.Node {
	goType := integerType(format)
	size, unsigned := strings.CutPrefix(goType, "uint")
	if !unsigned {
		size = strings.TrimPrefix(goType, "int")
	}
	bits := 64
	if size != "" {
		bits, _ = strconv.Atoi(size) // of a Go type's name
	}
	for _, v := range values(n) {
		_, err := strconv.ParseInt(v.Text, 10, bits)
		if unsigned {
			_, err = strconv.ParseUint(v.Text, 10, bits)
		}
		if err != nil {
			return v
		}
	}
	return nil
}

// integerType is the Go type of integers of a format.
func integerType(format string) string {
	switch format {
	case "int", "int8", "int16", "int32", "uint", "uint8", "uint16", "uint32", "uint64":
		return format
	}
	return "int64"
}
