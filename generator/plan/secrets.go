package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// DefaultSecretFields are names of response properties that hold credentials in
// Iceberg's document and in OAuth's.
var DefaultSecretFields = []string{
	"access_token", "client_secret", "config", "credentials", "id_token", "password", "refresh_token",
	"remote-signing-config", "secret", "storage-credentials", "token",
}

// maxDepth bounds the search through schemas that contain themselves; maxVisits
// ends it where they do so in so many ways that it would take for ever.
const maxDepth, maxVisits = 8, 200_000

// secrets finds the secret-named fields of an operation's success responses.
func (b *builder) secrets(op document.Pointer) ([]Secret, error) {
	s := secretSearch{holders: b.holders}
	for status, response := range b.read.Lookup(op.To("responses")).Members() {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		for mediaType, media := range b.read.Resolve(response).Get("content").Members() {
			if IsJSON(mediaType) {
				s.explore(s.doc.Resolve(media.Get("schema")))
				s.schema("", media.Get("schema"), 0)
			}
		}
	}
	if s.visits > maxVisits {
		return nil, b.read.Errorf(op.To("responses"), "its schemas contain each other in more ways than can be searched for secrets")
	}
	slices.SortFunc(s.secrets, func(a, b Secret) int { return strings.Compare(a.Pointer, b.Pointer) })
	return slices.Compact(s.secrets), nil
}

// checkSecretFields refuses a configured name that leads to nothing: mistyped, it
// would have a secret stored.
func (b *builder) checkSecretFields() error {
	for _, name := range b.opts.SecretFields {
		if b.holders.seen[name] {
			continue
		}
		hint := ""
		for _, known := range slices.Sorted(maps.Keys(b.holders.seen)) {
			if strings.EqualFold(known, name) {
				hint = fmt.Sprintf("; did you mean %q?", known)
			}
		}
		return fmt.Errorf("secret-fields: no success response of the document has a property %q%s", name, hint)
	}
	return nil
}

type secretSearch struct {
	*holders
	visits  int
	secrets []Secret
}

func (s *secretSearch) schema(at document.Pointer, n *document.Node, depth int) {
	n = s.doc.Resolve(n)
	if depth > maxDepth || !s.found[n] || s.visits > maxVisits {
		return
	}
	s.visits++
	for name, property := range n.Get("properties").Members() {
		if slices.Contains(s.names, name) {
			s.secret(at.To(name), property)
		}
	}
	for step, part := range s.parts(n) {
		s.schema(at+step, part, depth+1)
	}
}

// secret decides how much of a secret-named field is secret. Of a map of
// settings only some entries are, and a client needs the others; what only holds
// such maps is cut map by map.
func (s *secretSearch) secret(at document.Pointer, property *document.Node) {
	n := s.doc.Resolve(property)
	if isMap(n) {
		s.secrets = append(s.secrets, Secret{Pointer: string(at), Entries: true})
		return
	}
	properties := n.Get("properties")
	maps := []Secret{}
	for name, value := range properties.Members() {
		if !isMap(s.settings(value)) {
			maps = nil
			break
		}
		maps = append(maps, Secret{Pointer: string(at.To(name)), Entries: true})
	}
	if len(maps) > 0 {
		s.secrets = append(s.secrets, maps...)
		return
	}
	s.secrets = append(s.secrets, Secret{Pointer: string(at)})
}

// settings looks through an allOf of one, the way to put keywords beside a $ref.
func (s *secretSearch) settings(n *document.Node) *document.Node {
	n = s.doc.Resolve(n)
	if members := n.Get("allOf").All(); len(members) == 1 {
		return s.doc.Resolve(members[0])
	}
	return n
}

func isMap(n *document.Node) bool {
	extra := n.Get("additionalProperties")
	return extra != nil && extra.Kind == document.Object && !n.Has("properties")
}
