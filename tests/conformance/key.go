package conformance

import (
	"strings"

	"github.com/google/uuid"
)

// newKey is a key as the specification wants it: a UUIDv7.
func newKey() string { return uuid.Must(uuid.NewV7()).String() }

// malformation is a way of not being a key.
type malformation struct {
	name string
	// values are what is sent instead of the good key.
	values func(good string) []string
}

// malformations are the ways in which keys are wrong. Each starts from a fresh
// good key, so that one that slips through is no retry of another.
var malformations = []malformation{
	{"a UUID of version 4", one(func(k string) string { return k[:14] + "4" + k[15:] })},
	{"a UUID of version 1", one(func(k string) string { return k[:14] + "1" + k[15:] })},
	{"the nil UUID", one(func(string) string { return uuid.Nil.String() })},
	{"the max UUID", one(func(string) string { return uuid.Max.String() })},
	{"a variant of Microsoft's", one(func(k string) string { return k[:19] + "c" + k[20:] })},
	{"a variant of NCS's", one(func(k string) string { return k[:19] + "1" + k[20:] })},
	{"one digit too few", one(func(k string) string { return k[:35] })},
	{"one digit too many", one(func(k string) string { return k + "0" })},
	{"no hyphens", one(func(k string) string { return strings.ReplaceAll(k, "-", "") })},
	{"hyphens in other places", one(func(k string) string { return k[:7] + "-" + k[7:8] + k[9:] })},
	{"braces", one(func(k string) string { return "{" + k + "}" })},
	{"urn:uuid: in front", one(func(k string) string { return "urn:uuid:" + k })},
	{"a letter that is no hexadecimal digit", one(func(k string) string { return k[:35] + "g" })},
	{"a space inside", one(func(k string) string { return k[:20] + " " + k[21:] })},
	{"quotes", one(func(k string) string { return `"` + k + `"` })},
	{"non-ASCII digits", one(func(k string) string { return k[:34] + "é" })},
	{"an empty value", one(func(string) string { return "" })},
	{"two values in one header", one(func(k string) string { return k + ", " + newKey() })},
	{"two headers", func(k string) []string { return []string{k, newKey()} }},
}

func one(spoil func(string) string) func(string) []string {
	return func(good string) []string { return []string{spoil(good)} }
}
