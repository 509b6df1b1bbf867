package runtime

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// lists says where values of a type have lists and maps. It is nil for a type
// whose values have none, so that nobody looks there.
type lists struct {
	required bool        // a value is a list or a map itself, and null when it is nil
	nullable bool        // a value is a nullable.Nullable
	elem     *lists      // of elements and entries, or of what a pointer leads to
	fields   []listField // of a struct
}

type listField struct {
	*lists
	index int
}

// listsOf looks at a type once.
func listsOf(t reflect.Type) *lists {
	if known, ok := knownLists.Load(t); ok {
		return known.(*lists)
	}
	all := listPlaces{}
	l := all.add(t, false)
	for _, other := range all {
		other.prune()
	}
	if !l.any(map[*lists]bool{}) {
		l = nil
	}
	knownLists.Store(t, l)
	return l
}

var knownLists sync.Map // *lists by reflect.Type

// listPlaces are the types that occur in one, which may be that type again.
type listPlaces map[listPlace]*lists

type listPlace struct {
	reflect.Type
	omitted bool // when it is empty
}

func (all listPlaces) add(t reflect.Type, omitted bool) *lists {
	place := listPlace{t, omitted}
	if l, ok := all[place]; ok {
		return l
	}
	l := &lists{}
	all[place] = l
	itself := encodesItself(t)
	switch t.Kind() {
	case reflect.Struct:
		if !itself {
			l.fields = all.fields(t)
		}
	case reflect.Pointer:
		l.elem = all.add(t.Elem(), false)
	case reflect.Slice:
		if !itself && t.Elem().Kind() != reflect.Uint8 { // bytes are no list
			l.required, l.elem = !omitted, all.add(t.Elem(), false)
		}
	case reflect.Map:
		if l.nullable = itself && t.Key().Kind() == reflect.Bool; l.nullable || !itself {
			l.required, l.elem = !omitted && !itself, all.add(t.Elem(), false)
		}
	}
	return l
}

func (all listPlaces) fields(t reflect.Type) []listField {
	var fields []listField
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		if _, options, _ := strings.Cut(tag, ","); field.IsExported() && tag != "-" {
			fields = append(fields, listField{all.add(field.Type, strings.Contains(options, "omit")), i})
		}
	}
	return fields
}

// encodesItself reports whether encoding/json leaves values of a type to their own
// methods.
func encodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// any reports whether values can have a list.
func (l *lists) any(seen map[*lists]bool) bool {
	if l == nil || seen[l] {
		return false
	}
	seen[l] = true
	return l.required || l.elem.any(seen) || slices.ContainsFunc(l.fields, func(f listField) bool { return f.any(seen) })
}

// prune drops what leads to no list.
func (l *lists) prune() {
	if !l.elem.any(map[*lists]bool{}) {
		l.elem = nil
	}
	l.fields = slices.DeleteFunc(l.fields, func(f listField) bool { return !f.any(map[*lists]bool{}) })
}
