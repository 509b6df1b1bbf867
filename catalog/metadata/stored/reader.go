package stored

import (
	"errors"
	"fmt"

	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// Reader reads members of stored metadata and remembers the first that is missing or malformed. Unlike a request's
// arguments these are not the client's fault, so the errors are no faults.
type Reader struct {
	object *rawjson.Object
	err    error
}

// NewReader returns a reader of an object's members.
func NewReader(object *rawjson.Object) *Reader { return &Reader{object: object} }

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Fail records that a member is wrong for a reason the readers below do not know.
func (r *Reader) Fail(name string, err error) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %w", name, err)
	}
}

// Has tells whether a member is there and not null.
func (r *Reader) Has(name string) bool { return r.object.Get(name) != nil }

var errMissing = errors.New("missing")

// Read reads a member that must be there.
func Read[T any](r *Reader, name string, read func(rawjson.Value) (T, error)) T {
	text := r.object.Get(name)
	if text == nil {
		r.Fail(name, errMissing)
		return *new(T)
	}
	value, err := read(text)
	if err != nil {
		r.Fail(name, err)
	}
	return value
}

// ReadOr reads a member, or returns a default when it is absent or null.
func ReadOr[T any](r *Reader, name string, read func(rawjson.Value) (T, error), otherwise T) T {
	if !r.Has(name) {
		return otherwise
	}
	return Read(r, name, read)
}

// Int32 reads a 32-bit integer that must be there.
func (r *Reader) Int32(name string) int { return Read(r, name, rawjson.AsInt32) }

// Int64 reads a 64-bit integer that must be there.
func (r *Reader) Int64(name string) int64 { return Read(r, name, rawjson.AsInt64) }

// String reads a string that must be there.
func (r *Reader) String(name string) string { return Read(r, name, rawjson.AsString) }

// Object reads an object. An absent one is empty; the result is never nil.
func (r *Reader) Object(name string) *rawjson.Object {
	if object := ReadOr(r, name, rawjson.Split, nil); object != nil {
		return object
	}
	return &rawjson.Object{}
}

// ReadList reads a list whose elements are known by a member of theirs. An absent list is empty; the result is never
// nil.
func ReadList[ID comparable](r *Reader, name, id string, read func(rawjson.Value) (ID, error)) *List[ID] {
	list := &List[ID]{}
	for i, text := range ReadOr(r, name, rawjson.AsArray, nil) {
		key, err := read(rawjson.Member(text, id))
		if err != nil {
			r.Fail(name, fmt.Errorf("element %d: %s: %w", i, id, err))
			return list
		}
		list.Items = append(list.Items, Item[ID]{key, text})
	}
	return list
}

// List32 reads a list whose elements are known by a 32-bit id. An absent list is empty.
func (r *Reader) List32(name, id string) *List[int] { return ReadList(r, name, id, rawjson.AsInt32) }

// List64 reads a list whose elements are known by a 64-bit id. An absent list is empty.
func (r *Reader) List64(name, id string) *List[int64] { return ReadList(r, name, id, rawjson.AsInt64) }
