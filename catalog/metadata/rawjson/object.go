package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// Value is the text of one JSON value, exactly as it was written.
type Value = json.RawMessage

// Object is a JSON object whose members keep their order and their text. The zero value is an empty object. Any number
// of goroutines may read an Object while none changes it.
type Object struct {
	keys   []string
	values []Value
	// at finds a member by its name; nil for an object of few members.
	at map[string]int
}

// Parse validates text from outside and splits it into the members of one object. It returns an error when the text is
// not valid UTF-8, not JSON, or not an object. Of members with the same name the last one counts and the others are
// dropped, as JSON readers in the field do.
func Parse(text Value) (*Object, error) {
	if err := Check(text); err != nil {
		return nil, err
	}
	return Split(text)
}

// Check returns an error unless the text is one JSON value in valid UTF-8. The error says where the text goes wrong.
func Check(text Value) error {
	if !utf8.Valid(text) {
		return errors.New("the text is not valid UTF-8")
	}
	if json.Valid(text) {
		return nil
	}
	var any json.RawMessage
	err := json.Unmarshal(text, &any)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("invalid JSON at byte %d: %w", syntax.Offset, syntax)
	}
	return errors.New("invalid JSON")
}

// Split is Parse for text that is known to be JSON already: it does not validate the members' text.
func Split(text Value) (*Object, error) {
	if kindOf(text) != '{' {
		return nil, errors.New("expected a JSON object")
	}
	object := &Object{}
	var bad error
	err := eachMember(text, func(quoted, value []byte) bool {
		key, err := unquote(quoted)
		if err != nil {
			bad = err
			return false
		}
		object.Set(key, value)
		return true
	})
	if err = errors.Join(bad, err); err != nil {
		return nil, err
	}
	return object, nil
}

// Get returns the text of a member, or nil when the object has none by that name or its value is null: the two mean
// the same everywhere in Iceberg's metadata.
func (o *Object) Get(key string) Value {
	if i, ok := o.find(key); ok && !isNull(o.values[i]) {
		return o.values[i]
	}
	return nil
}

// Has tells whether the object has a member by that name, even when its value is null.
func (o *Object) Has(key string) bool {
	_, ok := o.find(key)
	return ok
}

// Set gives a member a value, in the member's old place or, when it is new, at the end.
func (o *Object) Set(key string, value Value) {
	if i, ok := o.find(key); ok {
		o.values[i] = value
		return
	}
	o.keys = append(o.keys, key)
	o.values = append(o.values, value)
	if o.at == nil {
		o.index()
		return
	}
	o.at[key] = len(o.keys) - 1
}

// Delete removes a member and tells whether there was one.
func (o *Object) Delete(key string) bool {
	i, ok := o.find(key)
	if !ok {
		return false
	}
	o.keys = slices.Delete(o.keys, i, i+1)
	o.values = slices.Delete(o.values, i, i+1)
	o.index()
	return true
}

// Len returns the number of members.
func (o *Object) Len() int { return len(o.keys) }

// Keys returns the names of the members in order. The slice must not be changed.
func (o *Object) Keys() []string { return o.keys }

// Clone returns an object that can be changed without changing o. The members' text is shared.
func (o *Object) Clone() *Object {
	return &Object{keys: slices.Clone(o.keys), values: slices.Clone(o.values), at: maps.Clone(o.at)}
}

// Text returns the object as JSON: no white space between members, each member's text as it is.
func (o *Object) Text() Value {
	size := 2
	for i, key := range o.keys {
		size += len(key) + len(o.values[i]) + 4
	}
	text := bytes.NewBuffer(make([]byte, 0, size))
	text.WriteByte('{')
	for i, key := range o.keys {
		if i > 0 {
			text.WriteByte(',')
		}
		text.Write(OfString(key))
		text.WriteByte(':')
		text.Write(o.values[i])
	}
	text.WriteByte('}')
	return text.Bytes()
}

// indexFrom is the number of members from which a map is faster than looking at each name.
const indexFrom = 16

// index makes the map anew, if there are members enough for one. It is part of every change and of no look-up, so that
// look-ups may go on at the same time.
func (o *Object) index() {
	o.at = nil
	if len(o.keys) < indexFrom {
		return
	}
	o.at = make(map[string]int, 2*len(o.keys))
	for i, key := range o.keys {
		o.at[key] = i
	}
}

func (o *Object) find(key string) (int, bool) {
	if o.at == nil {
		i := slices.Index(o.keys, key)
		return i, i >= 0
	}
	i, ok := o.at[key]
	return i, ok
}
