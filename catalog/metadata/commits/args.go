package commits

import (
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// Args are the arguments of one requirement or update. The first argument that is missing or malformed is remembered
// and named in the error; readers need not look at every one.
type Args struct {
	what   string
	object *rawjson.Object
	err    error
}

// NewArgs returns the members of an object as arguments. What they belong to is named in errors, as in "create table
// request".
func NewArgs(what string, object *rawjson.Object) *Args { return &Args{what: what, object: object} }

// Err returns the first error of any argument read so far: a fault of kind Invalid, or nil.
func (a *Args) Err() error { return a.err }

// Object returns all arguments as they came.
func (a *Args) Object() *rawjson.Object { return a.object }

// Has tells whether an argument is there and not null.
func (a *Args) Has(name string) bool { return a.object.Get(name) != nil }

// Read reads an argument that must be there.
func Read[T any](a *Args, name string, read func(rawjson.Value) (T, error)) T {
	if !a.Has(name) {
		a.Fail("missing field %s", name)
		return *new(T)
	}
	value, err := read(a.object.Get(name))
	if err != nil {
		a.Fail("field %s: %w", name, err)
		return *new(T)
	}
	return value
}

// ReadOptional reads an argument that may be absent or null, and returns nil then.
func ReadOptional[T any](a *Args, name string, read func(rawjson.Value) (T, error)) *T {
	if !a.Has(name) {
		return nil
	}
	value := Read(a, name, read)
	return &value
}

// Int64 reads a 64-bit integer that must be there.
func (a *Args) Int64(name string) int64 { return Read(a, name, rawjson.AsInt64) }

// Int32 reads a 32-bit integer that must be there.
func (a *Args) Int32(name string) int { return Read(a, name, rawjson.AsInt32) }

// String reads a string that must be there.
func (a *Args) String(name string) string { return Read(a, name, rawjson.AsString) }

// Bool reads a boolean that may be absent or null, which is false.
func (a *Args) Bool(name string) bool {
	value := ReadOptional(a, name, rawjson.AsBool)
	return value != nil && *value
}

// Strings reads an object of strings that must be there.
func (a *Args) Strings(name string) *rawjson.Object { return Read(a, name, rawjson.AsStrings) }

// Value reads the text of an argument that must be there.
func (a *Args) Value(name string) rawjson.Value {
	return Read(a, name, func(text rawjson.Value) (rawjson.Value, error) { return text, nil })
}

// Members reads an object that must be there.
func (a *Args) Members(name string) *rawjson.Object { return Read(a, name, rawjson.Split) }

// Int32s reads a list of 32-bit integers that must be there.
func (a *Args) Int32s(name string) []int { return Read(a, name, listOf(rawjson.AsInt32)) }

// Int64s reads a list of 64-bit integers that must be there.
func (a *Args) Int64s(name string) []int64 { return Read(a, name, listOf(rawjson.AsInt64)) }

// StringList reads a list of strings that must be there.
func (a *Args) StringList(name string) []string { return Read(a, name, listOf(rawjson.AsString)) }

// Renamed returns the argument's name, or its old name when only that one is there.
func (a *Args) Renamed(name, old string) string {
	if !a.Has(name) && a.Has(old) {
		return old
	}
	return name
}

// Fail records that an argument is wrong for a reason the readers above do not know.
func (a *Args) Fail(format string, args ...any) {
	if a.err == nil {
		a.err = fault.New(fault.Invalid, "Invalid "+a.what+": "+format, args...)
	}
}

// Join takes over the error of arguments that lie inside these.
func (a *Args) Join(inner *Args) {
	if a.err == nil {
		a.err = inner.err
	}
}

func listOf[T any](read func(rawjson.Value) (T, error)) func(rawjson.Value) ([]T, error) {
	return func(text rawjson.Value) ([]T, error) { return rawjson.AsArrayOf(text, read) }
}
