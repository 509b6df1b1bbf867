package runtime

import (
	"bytes"
	"reflect"
)

// hasNull reports whether a text of encoding/json has a null where a value may
// stand. One that has it in a string may pass for that too.
func hasNull(text []byte) bool {
	null := []byte("null")
	for i := 0; ; i += len(null) {
		next := bytes.Index(text[i:], null)
		if next < 0 {
			return false
		}
		if i += next; i == 0 || bytes.IndexByte([]byte(":,["), text[i-1]) >= 0 {
			return true
		}
	}
}

// withLists is a value with an empty list or map wherever it has a nil one. What
// changes is copied, with what leads to it, and the value stays as it is. It must
// be one that encoding/json has taken, and so not contain itself.
//
// A nil list stays where it is left out when empty; in an interface, which may be
// anything and so also null; and in what encodes itself. The generated types that
// do encode themselves come back to MarshalJSON with their members.
func withLists(value any) (whole any, changed bool) {
	v := reflect.ValueOf(value)
	if !v.IsValid() {
		return value, false
	}
	l := listsOf(v.Type())
	if !l.lacking(v) {
		return value, false
	}
	mended := reflect.New(v.Type()).Elem()
	mended.Set(v)
	l.mend(mended)
	return mended.Interface(), true
}

// lacking reports whether a value has a list or a map that is nil.
func (l *lists) lacking(v reflect.Value) bool {
	if l == nil {
		return false
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range l.fields {
			if f.lacking(v.Field(f.index)) {
				return true
			}
		}
		return false
	case reflect.Pointer:
		return !v.IsNil() && l.elem.lacking(v.Elem())
	case reflect.Slice:
		for i := 0; l.elem != nil && i < v.Len(); i++ {
			if l.elem.lacking(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for name, entry := range v.Seq2() {
			if l.elem == nil {
				break
			}
			if !l.isNull(name) && l.elem.lacking(entry) {
				return true
			}
		}
	}
	return l.required && v.IsNil()
}

// mend gives a value that is ours, and refers to what is not, the lists and maps
// that it lacks.
func (l *lists) mend(v reflect.Value) {
	if l == nil {
		return
	}
	for _, f := range l.fields {
		f.mend(v.Field(f.index))
	}
	if v.Kind() == reflect.Struct || !l.lacking(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		target := reflect.New(v.Type().Elem())
		target.Elem().Set(v.Elem())
		l.elem.mend(target.Elem())
		v.Set(target)
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		for i := range v.Len() {
			l.elem.mend(list.Index(i))
		}
		v.Set(list)
	case reflect.Map:
		entries := reflect.MakeMapWithSize(v.Type(), v.Len())
		for name, old := range v.Seq2() {
			entry := reflect.New(v.Type().Elem()).Elem()
			entry.Set(old)
			if !l.isNull(name) {
				l.elem.mend(entry)
			}
			entries.SetMapIndex(name, entry)
		}
		v.Set(entries)
	}
}

// isNull reports whether an entry is the one under which a nullable.Nullable,
// which is a map, notes that it is null.
func (l *lists) isNull(name reflect.Value) bool { return l.nullable && !name.Bool() }
