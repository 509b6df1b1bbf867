package plan

import (
	"slices"
	"strings"
	"unicode"

	"github.com/onceberg/onceberg/generator/document"
)

// prefixSegment is the path parameter that Iceberg's clients leave out when the
// server gave them none.
const prefixSegment = "/{prefix}/"

// Routes are the path templates that the operation is served at, in Echo's form:
// its own, and the one without {prefix} where that may be left out.
func (o Operation) Routes() []string {
	routes := []string{echoPath(o.Path)}
	if o.PrefixOptional {
		routes = append(routes, echoPath(o.short()))
	}
	return routes
}

func (o Operation) short() string { return strings.Replace(o.Path, prefixSegment, "/", 1) }

// withoutPrefix decides which operations are served without their prefix, too:
// all that have one, unless the document has another operation there.
func (p *Plan) withoutPrefix() {
	declared := map[string]bool{}
	for _, op := range p.Operations {
		declared[op.Method+" "+pattern(op.Path)] = true
	}
	for i, op := range p.Operations {
		short := op.Method + " " + pattern(op.short())
		p.Operations[i].PrefixOptional = strings.Contains(op.Path, prefixSegment) && !declared[short]
		declared[short] = true
	}
}

// pattern is a path without the names of its parameters, which a router does not
// tell apart.
func pattern(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

func echoPath(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = ":" + s[1:len(s)-1]
			continue
		}
		segments[i] = strings.ReplaceAll(s, ":", `\:`)
	}
	return strings.Join(segments, "/")
}

// checkRoutes refuses paths that differ in the names of their parameters alone.
// OpenAPI forbids them, and a router would send every request to one of the two.
func (b *builder) checkRoutes(p *Plan) error {
	first := map[string]string{}
	for _, op := range p.Operations {
		route := op.Method + " " + pattern(op.Path)
		if other, taken := first[route]; taken {
			return b.doc.Errorf(document.Pointer("/paths").To(op.Path),
				"the paths %s and %s differ in the names of their parameters alone, and a %s fits both", other, op.Path, op.Method)
		}
		first[route] = op.Path
	}
	return nil
}

// checkPath refuses what Echo's router cannot match and what cannot be bound.
func (b *builder) checkPath(at document.Pointer, method string) error {
	var names []string
	for _, segment := range strings.Split(at.Last(), "/") {
		open, end := strings.Count(segment, "{"), strings.Count(segment, "}")
		whole := strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}") && open == 1 && end == 1
		switch {
		case open+end > 0 && !whole:
			return b.doc.Errorf(at, "path segment %q mixes a parameter with text, which Echo cannot route", segment)
		case strings.Contains(segment, "*"):
			return b.doc.Errorf(at, "path segment %q holds a *, which Echo takes for a wildcard", segment)
		case slices.Contains(names, segment):
			return b.doc.Errorf(at, "the path has the parameter %s twice", segment)
		case whole:
			names = append(names, segment)
		}
	}
	return b.checkParameters(at, method)
}

func (b *builder) checkParameters(at document.Pointer, method string) error {
	for _, list := range []document.Pointer{at.To("parameters"), at.To(method, "parameters")} {
		for i, parameter := range b.doc.Lookup(list).Elements() {
			name := b.doc.Resolve(parameter).Get("name").Str()
			if strings.ContainsAny(name, "\"`") || strings.ContainsFunc(name, unicode.IsControl) {
				return b.doc.Errorf(list.Index(i), "the parameter name %q cannot be written into Go code", name)
			}
		}
	}
	return nil
}
