package grammar

import (
	"math"
	"strings"
)

// Kind names an object of OpenAPI whose keys the specification defines, in the
// words of error messages.
type Kind string

// The kinds of object.
const (
	Document       Kind = "OpenAPI document"
	Info           Kind = "info"
	License        Kind = "license"
	Server         Kind = "server"
	ServerVariable Kind = "server variable"
	Tag            Kind = "tag"
	Paths          Kind = "paths"
	PathItem       Kind = "path item"
	Operation      Kind = "operation"
	Parameter      Kind = "parameter"
	RequestBody    Kind = "request body"
	MediaType      Kind = "media type"
	Encoding       Kind = "encoding"
	Responses      Kind = "responses"
	Response       Kind = "response"
	Callback       Kind = "callback"
	Header         Kind = "header"
	Link           Kind = "link"
	Components     Kind = "components"
	Schema         Kind = "schema"
	Discriminator  Kind = "discriminator"
	SecurityScheme Kind = "security scheme"
	OAuthFlows     Kind = "OAuth flows"
	OAuthFlow      Kind = "OAuth flow"
)

// Methods are the keys of a path item that are operations, in the order in which
// OpenAPI lists them.
const Methods = "get put post delete options head patch trace"

// Types are the types that a schema may name.
const Types = "array boolean integer null number object string"

// Form says what stands under a key.
type Form int

// The forms. Those of prose say what becomes of it where only facts are kept.
const (
	Unlisted  Form = iota // the grammar does not know the key
	Data                  // anything, and nothing in it has a meaning here
	Text                  // a string
	Flag                  // a boolean
	Number                // a number
	Count                 // a whole number from 0 on
	List                  // an array of anything
	Texts                 // an array of strings
	TypeNames             // one of Types, or an array of them
	TextMap               // a map from free names to strings
	One                   // an object of a kind
	Each                  // an array of them
	Named                 // a map from free names to them
	Title                 // a string: a fact beside a const, prose otherwise
	Required              // prose that must be there: kept as an empty string
	Glossary              // a map from free names to prose: the names are kept
)

// Rule is the form of what stands under a key, and the kind of object where the
// form speaks of objects.
type Rule struct {
	Form Form
	Of   Kind
}

// Place is a key's rule and its rank among the keys of its object: that with a
// lower rank is written first, and keys of equal rank stay as they are.
type Place struct {
	Rule
	Rank int
}

// PlaceOf finds the place of a key in an object of a kind. Extensions, and keys
// that the grammar does not know, are Unlisted and come last.
func PlaceOf(k Kind, key string) Place {
	if p, listed := places[k][key]; listed {
		return p
	}
	if rest := objects[k].rest; rest != "" && !strings.HasPrefix(key, "x-") {
		return Place{Rule{One, rest}, math.MaxInt - 1}
	}
	return Place{Rank: math.MaxInt}
}

// Needs returns the keys that an object of a kind cannot be without, unless it is
// a reference: those without which nobody can tell what it is about.
func Needs(k Kind) []string { return strings.Fields(objects[k].needs) }

var places = func() map[Kind]map[string]Place {
	index := map[Kind]map[string]Place{}
	for k, o := range objects {
		index[k] = map[string]Place{}
		rank := 0
		for _, f := range o.fields {
			for _, name := range strings.Fields(f.names) {
				index[k][name] = Place{f.rule, rank}
				if !f.inOrder {
					rank++
				}
			}
			rank++
		}
	}
	return index
}()
