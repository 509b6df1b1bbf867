package planning

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
)

// literal is a value that the client gave a type to.
type literal struct {
	value    any
	dataType string
}

var errNotForType = errors.New("the literal is not one of its type")

// filterable tells whether predicates about a type are understood.
func filterable(t iceberg.Type) bool {
	switch t.(type) {
	case iceberg.BooleanType, iceberg.Int32Type, iceberg.Int64Type, iceberg.Float32Type, iceberg.Float64Type,
		iceberg.DecimalType, iceberg.DateType, iceberg.TimeType, iceberg.TimestampType, iceberg.TimestampTzType,
		iceberg.TimestampNsType, iceberg.TimestampTzNsType, iceberg.StringType, iceberg.UUIDType, iceberg.FixedType,
		iceberg.BinaryType:
		return true
	}
	return false
}

// readLiteral reads a literal as one of a column's type: bare, or an object with or without a type of its own. It is not
// understood when its own type is another.
func readLiteral(value any, t iceberg.Type) (_ iceberg.Literal, understood bool, err error) {
	if node, ok := value.(map[string]any); ok {
		if node["type"] != "literal" {
			return nil, false, errNotForType
		}
		dataType, _ := node["data-type"].(string)
		value = literal{node["value"], dataType}
	}
	if typed, ok := value.(literal); ok {
		if typed.dataType != "" && kindOf(typed.dataType) != kindOf(t.String()) {
			return nil, false, nil
		}
		value = typed.value
	}
	read, err := convert(value, t)
	return read, true, err
}

// kindOf groups the types whose literals are written alike.
func kindOf(name string) string {
	switch name = strings.ReplaceAll(name, " ", ""); name {
	case "int":
		return "long"
	case "float":
		return "double"
	}
	return name
}

// convert reads a JSON scalar as a literal of a type. It must be exactly that value: with a rounded one, files would be
// left out that have matching rows.
func convert(value any, t iceberg.Type) (iceberg.Literal, error) {
	if value == nil {
		return nil, errors.New("the literal is null")
	}
	switch t := t.(type) {
	case iceberg.BooleanType:
		if b, ok := value.(bool); ok {
			return iceberg.BoolLiteral(b), nil
		}
	case iceberg.Int32Type, iceberg.Int64Type:
		return integer(value, t)
	case iceberg.Float32Type, iceberg.Float64Type:
		return float(value, t)
	case iceberg.DecimalType:
		return decimalOf(value, t)
	case iceberg.DateType, iceberg.TimeType, iceberg.TimestampType, iceberg.TimestampTzType, iceberg.TimestampNsType, iceberg.TimestampTzNsType:
		return temporal(value, t)
	case iceberg.StringType, iceberg.UUIDType:
		if s, ok := value.(string); ok {
			return cast(iceberg.StringLiteral(s), t)
		}
	case iceberg.FixedType, iceberg.BinaryType:
		if s, ok := value.(string); ok {
			return bytesOf(s, t)
		}
	}
	return nil, notOf(value, t)
}

func notOf(value any, t iceberg.Type) error { return fmt.Errorf("%s is no %s", shown(value), t) }

func shown(value any) string {
	text, _ := json.Marshal(value)
	if len(text) > 64 {
		return string(text[:64]) + "..."
	}
	return string(text)
}

// cast makes a literal one of a type, without the words that iceberg-go has for its failure.
func cast(l iceberg.Literal, t iceberg.Type) (iceberg.Literal, error) {
	made, err := l.To(t)
	if err != nil {
		return nil, notOf(l.Any(), t)
	}
	return made, nil
}

// scalar is the text of a number, or of a string that may be one.
func scalar(value any) (string, bool) {
	switch value := value.(type) {
	case json.Number:
		return value.String(), true
	case string:
		return value, true
	}
	return "", false
}

func integer(value any, t iceberg.Type) (iceberg.Literal, error) {
	text, ok := scalar(value)
	if !ok {
		return nil, notOf(value, t)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil:
		return cast(iceberg.Int64Literal(n), t)
	case !errors.Is(err, strconv.ErrRange):
		return nil, notOf(value, t)
	}
	_, wide := t.(iceberg.Int64Type)
	switch negative := strings.HasPrefix(text, "-"); {
	case negative && wide:
		return iceberg.Int64BelowMinLiteral(), nil
	case negative:
		return iceberg.Int32BelowMinLiteral(), nil
	case wide:
		return iceberg.Int64AboveMaxLiteral(), nil
	}
	return iceberg.Int32AboveMaxLiteral(), nil
}

func float(value any, t iceberg.Type) (iceberg.Literal, error) {
	text, ok := scalar(value)
	if !ok {
		return nil, notOf(value, t)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, notOf(value, t)
	}
	return cast(iceberg.Float64Literal(f), t)
}

// temporal reads dates and times: ISO 8601, or the number that they are stored as.
func temporal(value any, t iceberg.Type) (iceberg.Literal, error) {
	if number, ok := value.(json.Number); ok {
		n, err := number.Int64()
		if err != nil {
			return nil, notOf(value, t)
		}
		return cast(iceberg.Int64Literal(n), t)
	}
	text, ok := value.(string)
	if !ok {
		return nil, notOf(value, t)
	}
	digits := 6
	switch t.(type) {
	case iceberg.TimestampNsType, iceberg.TimestampTzNsType:
		digits = 9
		if !inNanoseconds(text) {
			return nil, fmt.Errorf("%s is outside the range of %s", shown(value), t)
		}
	}
	if fraction(text) > digits {
		return nil, fmt.Errorf("%s has more than the %d fractional digits of %s", shown(value), digits, t)
	}
	return cast(iceberg.StringLiteral(text), t)
}

// fraction is how many digits of a second there are, without zeros at the end.
func fraction(text string) int {
	_, after, _ := strings.Cut(text, ".")
	end := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		after = after[:end]
	}
	return len(strings.TrimRight(after, "0"))
}

// inNanoseconds tells whether a time can be counted in nanoseconds since 1970 in 64 bits, judged by its year.
func inNanoseconds(text string) bool {
	year, err := strconv.Atoi(text[:min(4, len(text))])
	first, last := time.Unix(0, math.MinInt64).UTC().Year(), time.Unix(0, math.MaxInt64).UTC().Year()
	return err == nil && year > first && year < last
}

func bytesOf(text string, t iceberg.Type) (iceberg.Literal, error) {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not hexadecimal, as %s must be", shown(text), t)
	}
	return cast(iceberg.BinaryLiteral(raw), t)
}
