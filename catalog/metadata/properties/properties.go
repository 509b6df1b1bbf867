// Package properties reads the string properties of tables and views.
//
// A property that should be a number and is not is refused when a commit needs it, naming the property: whoever commits
// can mend it in the same commit, since a commit's own changes count.
package properties

import (
	"strconv"
	"strings"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// Text returns a property, or a default when it is not set.
func Text(all *rawjson.Object, key, otherwise string) string {
	value, err := rawjson.AsString(all.Get(key))
	if err != nil {
		return otherwise
	}
	return value
}

// Int returns a property that is a number, or a default when it is not set. A value that is not a number is a fault of
// kind Invalid.
func Int(all *rawjson.Object, key string, otherwise int) (int, error) {
	value := Text(all, key, "")
	if value == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0, fault.New(fault.Invalid, "Property %s must have integer value: %s", key, value)
	}
	return n, nil
}

// Bool returns a property that is "true" in any case or else false, or a default when it is not set.
func Bool(all *rawjson.Object, key string, otherwise bool) bool {
	value := Text(all, key, "")
	if value == "" {
		return otherwise
	}
	return strings.EqualFold(value, "true")
}

// Collectable tells whether the files of a table or view are its own to delete. They are not when the property
// gc.enabled is set to anything but true: others may use them.
func Collectable(all *rawjson.Object) bool { return Bool(all, "gc.enabled", true) }

// Map returns all properties.
func Map(all *rawjson.Object) map[string]string {
	out := make(map[string]string, all.Len())
	for _, key := range all.Keys() {
		out[key] = Text(all, key, "")
	}
	return out
}

// Set writes properties and tells whether any value became another. Names for which skip returns true are left out.
func Set(all, updates *rawjson.Object, skip func(key string) bool) bool {
	changed := false
	for _, key := range updates.Keys() {
		if skip(key) || all.Has(key) && Text(all, key, "") == Text(updates, key, "") {
			continue
		}
		all.Set(key, updates.Get(key))
		changed = true
	}
	return changed
}

// Remove deletes properties and tells whether any was set.
func Remove(all *rawjson.Object, keys []string) bool {
	changed := false
	for _, key := range keys {
		changed = all.Delete(key) || changed
	}
	return changed
}
