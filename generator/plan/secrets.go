package plan

import (
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

// maxDepth bounds the search through schemas that contain themselves.
const maxDepth = 8

// secrets finds the secret-named fields of an operation's success responses.
func (b *builder) secrets(op document.Pointer) []Secret {
	s := secretSearch{doc: b.read, names: append(slices.Clone(DefaultSecretFields), b.opts.SecretFields...)}
	for status, response := range b.read.Lookup(op.To("responses")).Members() {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		for mediaType, media := range b.read.Resolve(response).Get("content").Members() {
			if IsJSON(mediaType) {
				s.schema("", media.Get("schema"), 0)
			}
		}
	}
	slices.SortFunc(s.found, func(a, b Secret) int { return strings.Compare(a.Pointer, b.Pointer) })
	return slices.Compact(s.found)
}

type secretSearch struct {
	doc   *document.Document
	names []string
	found []Secret
}

func (s *secretSearch) schema(at document.Pointer, n *document.Node, depth int) {
	n = s.doc.Resolve(n)
	if n == nil || depth > maxDepth {
		return
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, member := range n.Get(keyword).Elements() {
			s.schema(at, member, depth+1)
		}
	}
	if n.Has("discriminator") {
		s.subtypes(at, n, depth+1)
	}
	for name, property := range n.Get("properties").Members() {
		if slices.Contains(s.names, name) {
			s.secret(at.To(name), property)
			continue
		}
		s.schema(at.To(name), property, depth+1)
	}
	s.schema(at.To("*"), n.Get("items"), depth+1)
	if extra := n.Get("additionalProperties"); extra != nil && extra.Kind == document.Object {
		s.schema(at.To("*"), extra, depth+1)
	}
}

// subtypes are what a discriminated base stands for: what it maps to, and what
// extends it.
func (s *secretSearch) subtypes(at document.Pointer, base *document.Node, depth int) {
	schemas := s.doc.Root.At("components", "schemas")
	for _, target := range base.At("discriminator", "mapping").Members() {
		s.schema(at, schemas.Get(document.SchemaName(target.Str())), depth)
	}
	for _, schema := range schemas.Members() {
		for _, member := range schema.Get("allOf").Elements() {
			if member.Has("$ref") && s.doc.Resolve(member) == base {
				s.schema(at, schema, depth)
			}
		}
	}
}

// secret decides how much of a secret-named field is secret. Of a map of
// settings only some entries are, and a client needs the others; what only holds
// such maps is cut map by map.
func (s *secretSearch) secret(at document.Pointer, property *document.Node) {
	n := s.doc.Resolve(property)
	if isMap(n) {
		s.found = append(s.found, Secret{Pointer: string(at), Entries: true})
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
		s.found = append(s.found, maps...)
		return
	}
	s.found = append(s.found, Secret{Pointer: string(at)})
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
