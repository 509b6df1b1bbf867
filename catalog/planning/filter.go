package planning

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/apache/iceberg-go"
)

// filter is a predicate in two forms: one to choose files by, one to choose rows by.
type filter struct {
	// text is the client's, with which it can choose rows itself.
	text json.RawMessage
	// files is true of every row of which text is.
	files iceberg.BooleanExpression
	// exact says that files and text are true of the same rows.
	exact bool
}

const (
	// maxDepth bounds how deep predicates are nested: deeper than any query, shallower than any stack.
	maxDepth = 1000
	// maxFilter bounds a filter's text, which every plan task carries.
	maxFilter = 4 << 20
)

// parseFilter reads a predicate of the document, for a schema's columns; no text is no filter. iceberg-go has a parser
// too, but it knows only one of the two ways in which the document writes operands, not {"type":"true"}, and no names
// without regard to case; and it rounds literals.
func parseFilter(text json.RawMessage, names *columns) (*filter, error) {
	if len(text) == 0 {
		return &filter{files: iceberg.AlwaysTrue{}, exact: true}, nil
	}
	if len(text) > maxFilter {
		return nil, invalid("filter", "is %d bytes long, more than %d", len(text), maxFilter)
	}
	value, err := decode(text)
	if err != nil {
		return nil, invalid("filter", "%w", err)
	}
	p := &parser{names: names}
	files, err := p.predicate(value, place{field: "filter"}, true)
	if err != nil {
		return nil, err
	}
	if _, err := iceberg.BindExpr(names.schema, files, true); err != nil {
		return nil, invalid("filter", "%w", err)
	}
	if _, all := files.(iceberg.AlwaysTrue); all && !p.opaque {
		text = nil // Java's client says "true" where it filters nothing
	}
	return &filter{text: text, files: files, exact: !p.opaque}, nil
}

func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("has a second value behind the first")
	}
	return value, nil
}

// place is where in the request a part of the filter stands.
type place struct {
	field string
	depth int
}

func (at place) in(member string) place { return place{at.field + "/" + member, at.depth + 1} }

func (at place) wrong(format string, args ...any) error { return invalid(at.field, format, args...) }

// parser builds a predicate. What it does not understand becomes true where more rows may match, and false beneath a
// "not": either way the whole is true of no fewer rows.
type parser struct {
	names  *columns
	opaque bool
}

func (p *parser) unknown(positive bool) iceberg.BooleanExpression {
	p.opaque = true
	return constant(positive)
}

func constant(value bool) iceberg.BooleanExpression {
	if value {
		return iceberg.AlwaysTrue{}
	}
	return iceberg.AlwaysFalse{}
}

// predicate reads one, which stands beneath an even number of nots if positive.
func (p *parser) predicate(value any, at place, positive bool) (iceberg.BooleanExpression, error) {
	if at.depth > maxDepth {
		return nil, invalid("filter", "is nested more than %d levels deep", maxDepth)
	}
	node, isObject := value.(map[string]any)
	if !isObject {
		if known, ok := value.(bool); ok {
			return constant(known), nil
		}
		return nil, at.wrong("must be a predicate")
	}
	kind, _ := node["type"].(string)
	switch kind {
	case "true", "false":
		return constant(kind == "true"), nil
	case "literal":
		known, ok := node["value"].(bool)
		if !ok {
			return nil, at.wrong("must have a boolean value")
		}
		return constant(known), nil
	case "not":
		child, err := p.predicate(node["child"], at.in("child"), !positive)
		if err != nil {
			return nil, err
		}
		return iceberg.NewNot(child), nil
	case "and", "or":
		return p.junction(kind, node, at, positive)
	}
	if op, ok := unary[kind]; ok {
		return p.unary(op, node, at, positive)
	}
	if op, ok := comparisons[kind]; ok {
		return p.comparison(op, node, at, positive)
	}
	if op, ok := sets[kind]; ok {
		return p.set(op, node, at, positive)
	}
	return nil, at.wrong("is of the unknown type %q", kind)
}

func (p *parser) junction(kind string, node map[string]any, at place, positive bool) (iceberg.BooleanExpression, error) {
	left, err := p.predicate(node["left"], at.in("left"), positive)
	if err != nil {
		return nil, err
	}
	right, err := p.predicate(node["right"], at.in("right"), positive)
	if err != nil {
		return nil, err
	}
	if kind == "and" {
		return iceberg.NewAnd(left, right), nil
	}
	return iceberg.NewOr(left, right), nil
}
