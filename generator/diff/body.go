package diff

import (
	"fmt"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
)

// The uses that a component can have.
const (
	schemaPart    = "schema"
	basePart      = "base" // extended by allOf
	parameterPart = "parameter"
	bodyPart      = "request body"
	responsePart  = "response"
	headerPart    = "header"
)

func (w walker) requestBody(o, n spot) {
	w.base = "the request body"
	switch {
	case o.node == nil && n.node == nil:
	case o.node == nil:
		e, word := harmless, "optional"
		if w.c.new.resolve(n).node.Get("required").True() {
			e, word = narrowed, "required"
		}
		w.found(BodyAdded, e, n.at, "it takes a request body now, which is %s", word)
	case n.node == nil:
		w.found(BodyRemoved, gone, o.at, "it no longer takes a request body")
	default:
		w.follow(o, n, bodyPart, walker.body)
	}
}

func (w walker) body(o, n spot) {
	oldRequired, newRequired := o.node.Get("required").True(), n.node.Get("required").True()
	switch {
	case newRequired && !oldRequired:
		w.found(BodyRequired, narrowed, n.at, "%s is required now", w.base)
	case oldRequired && !newRequired:
		w.found(BodyOptional, widened, n.at, "%s is optional now", w.base)
	}
	w.content(o, n)
}

// responses compares the declared statuses and what each answers.
func (w walker) responses(p pair, o, n spot) {
	for status, before := range o.node.Members() {
		if counterpart(n, status).node != nil {
			continue
		}
		status = strings.ToUpper(status)
		_, kind, _ := statusKind(*p.old, status)
		w.found(kind, ifSuccess(status, narrowed), spot{o.at.To(status), before}.at, "status %s is gone", status)
	}
	for status, after := range n.node.Members() {
		at := spot{n.at.To(status), after}
		before := counterpart(o, status)
		status = strings.ToUpper(status)
		if before.node != nil {
			inner := w
			inner.base = fmt.Sprintf("the %s response", status)
			inner.follow(before, at, responsePart, walker.response)
			continue
		}
		kind, _, meaning := statusKind(*p.new, status)
		w.found(kind, ifSuccess(status, widened), at.at, "status %s is new%s", status, meaning)
	}
}

// counterpart finds a member by name without regard to case, as 5xx and 5XX are
// one.
func counterpart(holder spot, name string) spot {
	for candidate, node := range holder.node.Members() {
		if strings.EqualFold(candidate, name) {
			return spot{holder.at.To(candidate), node}
		}
	}
	return spot{}
}

// ifSuccess keeps an effect for the statuses that clients take for success. Of
// failures, every client must expect any.
func ifSuccess(status string, e effect) effect {
	if strings.HasPrefix(status, "2") {
		return e
	}
	return harmless
}

func (w walker) response(o, n spot) {
	oldHas, newHas := o.node.Has("content"), n.node.Has("content")
	switch {
	case newHas && !oldHas:
		w.found(BodyAdded, harmless, n.at, "%s has a body now", w.base)
	case oldHas && !newHas:
		w.found(BodyRemoved, gone, o.at, "%s no longer has a body", w.base)
	default:
		w.content(o, n)
	}
	w.headers(o, n)
}

// content compares the media types that both sides have.
func (w walker) content(o, n spot) {
	olds, news := o.member("content"), n.member("content")
	for mediaType := range olds.node.Members() {
		if counterpart(news, mediaType).node == nil {
			w.found(MediaTypeRemoved, gone, olds.at.To(mediaType), "%s is no longer %s", w.base, mediaType)
		}
	}
	for mediaType, after := range news.node.Members() {
		before := counterpart(olds, mediaType)
		if before.node == nil {
			w.found(MediaTypeAdded, harmless, news.at.To(mediaType), "%s can be %s now", w.base, mediaType)
			continue
		}
		w.schema(before.member("schema"), spot{news.at.To(mediaType), after}.member("schema"))
	}
}

// headers compares response headers.
func (w walker) headers(o, n spot) {
	olds, news := w.c.old.headers(o), w.c.new.headers(n)
	for _, before := range olds {
		if find(news, before.name).node == nil {
			w.found(FieldRemoved, gone, before.spot.at, "header %s of %s is gone", before.name, w.base)
		}
	}
	for _, after := range news {
		before := find(olds, after.name)
		if before.node == nil {
			w.found(FieldAdded, harmless, after.spot.at, "header %s of %s is new", after.name, w.base)
			continue
		}
		inner := w
		inner.base = fmt.Sprintf("header %s of %s", after.name, w.base)
		inner.follow(before, after.spot, headerPart, walker.header)
	}
}

type header struct {
	name string
	spot spot
}

// headers are a response's headers by the name on the wire. Iceberg's document
// refers to a parameter for one, whose own name counts.
func (s side) headers(response spot) []header {
	var list []header
	for key, node := range response.node.Get("headers").Members() {
		at := spot{response.at.To("headers", key), node}
		if name := s.resolve(at).node.Get("name").Str(); name != "" {
			key = name
		}
		if !strings.EqualFold(key, "Content-Type") { // OpenAPI ignores it here
			list = append(list, header{key, at})
		}
	}
	return list
}

func find(list []header, name string) spot {
	for _, h := range list {
		if strings.EqualFold(h.name, name) {
			return h.spot
		}
	}
	return spot{}
}

func (w walker) header(o, n spot) {
	w.requiredness(o.node.Get("required").True(), n.node.Get("required").True(), n.at)
	w.deprecated(o.node.Get("deprecated").True(), n.node.Get("deprecated").True(), n.at)
	w.described(o, n)
}

// requiredness compares whether a field must be there.
func (w walker) requiredness(old, new bool, at document.Pointer) {
	switch {
	case new && !old:
		w.found(FieldRequired, narrowed, at, "%s is required now", w.subject())
	case old && !new:
		w.found(FieldOptional, widened, at, "%s is optional now", w.subject())
	}
}
