package planning

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/google/uuid"
)

// partitionValue writes a value that iceberg-go read from a manifest as JSON of a type.
func partitionValue(value any, t iceberg.Type) ([]byte, error) {
	if l, ok := value.(iceberg.Literal); ok {
		value = l.Any()
	}
	switch value := value.(type) {
	case nil:
		return []byte("null"), nil
	case float32:
		return number(float64(value), 32)
	case float64:
		return number(value, 64)
	case []byte:
		return json.Marshal(hexadecimal(value))
	case uuid.UUID:
		return json.Marshal(value.String())
	case iceberg.Decimal:
		return json.Marshal(value.String())
	case iceberg.Date:
		return json.Marshal(value.ToTime().Format(time.DateOnly))
	case iceberg.Time:
		return json.Marshal(time.UnixMicro(int64(value)).UTC().Format("15:04:05.999999"))
	case iceberg.Timestamp:
		return json.Marshal(moment(value.ToTime(), t))
	case iceberg.TimestampNano:
		return json.Marshal(moment(value.ToTime(), t))
	case bool, string, int64, int:
		return json.Marshal(value)
	case int32:
		if _, ok := t.(iceberg.DateType); ok {
			return partitionValue(iceberg.Date(value), t)
		}
		return json.Marshal(value)
	}
	return nil, fmt.Errorf("a value of type %T cannot be written", value)
}

// number writes a floating-point number, for which JSON has no infinity.
func number(f float64, bits int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%v cannot be written", f)
	}
	if bits == 32 {
		return json.Marshal(float32(f))
	}
	return json.Marshal(f)
}

// moment writes a timestamp, with an offset if its type has one.
func moment(at time.Time, t iceberg.Type) string {
	layout := "2006-01-02T15:04:05.999999999"
	switch t.(type) {
	case iceberg.TimestampTzType, iceberg.TimestampTzNsType:
		layout += "-07:00"
	}
	return at.UTC().Format(layout)
}
