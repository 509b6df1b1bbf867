package planning

import (
	"github.com/apache/iceberg-go"
)

var unary = map[string]iceberg.Operation{
	"is-null": iceberg.OpIsNull, "not-null": iceberg.OpNotNull, "is-nan": iceberg.OpIsNan, "not-nan": iceberg.OpNotNan,
}

var comparisons = map[string]iceberg.Operation{
	"lt": iceberg.OpLT, "lt-eq": iceberg.OpLTEQ, "gt": iceberg.OpGT, "gt-eq": iceberg.OpGTEQ,
	"eq": iceberg.OpEQ, "not-eq": iceberg.OpNEQ,
	"starts-with": iceberg.OpStartsWith, "not-starts-with": iceberg.OpNotStartsWith,
}

var sets = map[string]iceberg.Operation{"in": iceberg.OpIn, "not-in": iceberg.OpNotIn}

// swapped are the comparisons that say the same with their sides exchanged.
var swapped = map[iceberg.Operation]iceberg.Operation{
	iceberg.OpLT: iceberg.OpGT, iceberg.OpLTEQ: iceberg.OpGTEQ, iceberg.OpGT: iceberg.OpLT, iceberg.OpGTEQ: iceberg.OpLTEQ,
	iceberg.OpEQ: iceberg.OpEQ, iceberg.OpNEQ: iceberg.OpNEQ,
}

// unary reads a predicate about one operand.
func (p *parser) unary(op iceberg.Operation, node map[string]any, at place, positive bool) (iceberg.BooleanExpression, error) {
	column, err := p.subject(node, "child", at)
	switch {
	case err != nil:
		return nil, err
	case column == nil || !filterable(column.Type):
		return p.unknown(positive), nil
	}
	return iceberg.UnaryPredicate(op, p.reference(column)), nil
}

// set reads a predicate about one operand and a list.
func (p *parser) set(op iceberg.Operation, node map[string]any, at place, positive bool) (iceberg.BooleanExpression, error) {
	column, err := p.subject(node, "child", at)
	if err != nil {
		return nil, err
	}
	values, typed, err := list(node["values"], at.in("values"))
	switch {
	case err != nil:
		return nil, err
	case column == nil || !filterable(column.Type):
		return p.unknown(positive), nil
	}
	literals := make([]iceberg.Literal, 0, len(values))
	for _, value := range values {
		if typed != "" {
			value = literal{value, typed}
		}
		read, understood, err := readLiteral(value, column.Type)
		switch {
		case err != nil:
			return nil, at.in("values").wrong("column %q: %w", p.names.name(*column), err)
		case !understood:
			return p.unknown(positive), nil
		case !beyond(read): // no row equals a value that the type cannot have
			literals = append(literals, read)
		}
	}
	return iceberg.SetPredicate(op, p.reference(column), literals), nil
}

func beyond(l iceberg.Literal) bool {
	switch l.(type) {
	case iceberg.AboveMaxLiteral, iceberg.BelowMinLiteral:
		return true
	}
	return false
}

// comparison reads a predicate about two operands: "term" and "value", or "left" and "right", of which either may be the
// column.
func (p *parser) comparison(op iceberg.Operation, node map[string]any, at place, positive bool) (iceberg.BooleanExpression, error) {
	if _, old := node["term"]; old {
		column, err := p.subject(node, "left", at)
		if err != nil {
			return nil, err
		}
		value, ok := node["value"]
		if !ok {
			return nil, at.wrong("must have a value")
		}
		return p.compare(op, column, value, at.in("value"), positive)
	}
	left, isLeft, err := p.operand(node["left"], at.in("left"))
	if err != nil {
		return nil, err
	}
	right, isRight, err := p.operand(node["right"], at.in("right"))
	if err != nil {
		return nil, err
	}
	turned, canTurn := swapped[op]
	switch {
	case isLeft && !isRight:
		return p.compare(op, left, node["right"], at.in("right"), positive)
	case isRight && !isLeft && canTurn:
		return p.compare(turned, right, node["left"], at.in("left"), positive)
	}
	return p.unknown(positive), nil
}

func (p *parser) compare(op iceberg.Operation, column *iceberg.NestedField, value any, at place, positive bool) (iceberg.BooleanExpression, error) {
	if column == nil || !filterable(column.Type) {
		return p.unknown(positive), nil
	}
	read, understood, err := readLiteral(value, column.Type)
	switch {
	case err != nil:
		return nil, at.wrong("column %q: %w", p.names.name(*column), err)
	case !understood:
		return p.unknown(positive), nil
	}
	return iceberg.LiteralPredicate(op, p.reference(column), read), nil
}

// subject reads the operand that a predicate is about, by its old name "term" or its new one. It is nil when it is no
// column.
func (p *parser) subject(node map[string]any, member string, at place) (*iceberg.NestedField, error) {
	if term, old := node["term"]; old {
		if name, ok := term.(string); ok {
			return p.column(name, at.in("term"))
		}
		member = "term"
	}
	column, isExpression, err := p.operand(node[member], at.in(member))
	if err == nil && !isExpression {
		err = at.in(member).wrong("must refer to a column")
	}
	return column, err
}

// operand reads a value expression: a column, nil for an expression that is not understood, or a literal, which is none.
func (p *parser) operand(value any, at place) (column *iceberg.NestedField, isExpression bool, err error) {
	node, ok := value.(map[string]any)
	if !ok {
		if value == nil {
			return nil, false, at.wrong("is required")
		}
		return nil, false, nil
	}
	switch kind, _ := node["type"].(string); kind {
	case "literal":
		return nil, false, nil
	case "reference":
		column, err = p.referenced(node, at)
		return column, true, err
	case "transform":
		name, _ := node["term"].(string)
		if column, err = p.column(name, at.in("term")); err != nil || node["transform"] == "identity" {
			return column, true, err
		}
		return nil, true, nil
	case "apply":
		return nil, true, p.arguments(node["arguments"], at.in("arguments"))
	default:
		return nil, false, at.wrong("is of the unknown type %q", kind)
	}
}

// arguments checks that the columns that a function is applied to exist.
func (p *parser) arguments(value any, at place) error {
	arguments, ok := value.([]any)
	if !ok {
		return at.wrong("must be an array")
	}
	for _, argument := range arguments {
		node, _ := argument.(map[string]any)
		if node["type"] != "reference" {
			continue
		}
		if _, err := p.referenced(node, at); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) referenced(node map[string]any, at place) (*iceberg.NestedField, error) {
	if number, ok := node["id"].(interface{ Int64() (int64, error) }); ok {
		id, err := number.Int64()
		if field, found := p.names.schema.FindFieldByID(int(id)); err == nil && found {
			return &field, nil
		}
		return nil, at.wrong("column %v does not exist in schema %d", number, p.names.schema.ID)
	}
	name, ok := node["name"].(string)
	if !ok {
		name, _ = node["term"].(string) // as Java writes it
	}
	return p.column(name, at)
}

func (p *parser) column(name string, at place) (*iceberg.NestedField, error) {
	field, err := p.names.find(name)
	if err != nil {
		return nil, at.wrong("%w", err)
	}
	return &field, nil
}

func (p *parser) reference(column *iceberg.NestedField) iceberg.Reference {
	return iceberg.Reference(p.names.name(*column))
}

// list reads the literals of a set, and their type if they have one in common.
func list(value any, at place) (values []any, typed string, err error) {
	if node, ok := value.(map[string]any); ok && node["type"] == "literals" {
		typed, _ = node["data-type"].(string)
		value = node["values"]
	}
	values, ok := value.([]any)
	if !ok {
		return nil, "", at.wrong("must be an array of literals")
	}
	return values, typed, nil
}
