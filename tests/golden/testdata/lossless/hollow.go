package generated

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
)

// sameHollow says what is wrong when a decoded value has another text once its
// empty lists and maps are nil, or, if it is a union, once those of an arm are.
func sameHollow(value any) error {
	full, err := encode(value)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(value)
	if err := sameArms(v); err != nil {
		return err
	}
	hollow(v.Elem())
	text, err := encode(value)
	if err == nil && !bytes.Equal(text, full) {
		err = fmt.Errorf("with nil lists it is %s, and not %s", text, full)
	}
	return err
}

// sameArms encodes each arm that the union behind a pointer can be, full and
// hollow.
func sameArms(union reflect.Value) error {
	made := reflect.New(union.Type().Elem())
	for method := range union.Type().Methods() {
		name, is := strings.CutPrefix(method.Name, "As")
		from := made.MethodByName("From" + name)
		if !is || !from.IsValid() {
			continue
		}
		decoded := union.MethodByName(method.Name).Call(nil)
		if !decoded[1].IsNil() {
			continue // it is another arm
		}
		var texts [2][]byte
		arm := reflect.New(decoded[0].Type()).Elem()
		arm.Set(decoded[0])
		for i := range texts {
			if failed := from.Call([]reflect.Value{arm})[0]; !failed.IsNil() {
				return failed.Interface().(error)
			}
			text, err := encode(made.Interface())
			if err != nil {
				return err
			}
			texts[i] = text
			hollow(arm)
		}
		if !bytes.Equal(texts[0], texts[1]) {
			return fmt.Errorf("as %s it is %s with nil lists, and not %s", name, texts[1], texts[0])
		}
	}
	return nil
}

// hollow makes the empty lists and maps of a value nil.
func hollow(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			hollow(v.Elem())
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				hollow(field)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			hollow(v.Index(i))
		}
	case reflect.Map:
		if v.Len() == 0 {
			v.SetZero()
		}
		for name, old := range v.Seq2() {
			entry := reflect.New(old.Type()).Elem()
			entry.Set(old)
			hollow(entry)
			v.SetMapIndex(name, entry)
		}
	}
}
