package tables

import (
	"fmt"
	"strings"
	"time"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// metricsColumn precedes a column's name in the properties that choose what writers measure of it.
const metricsColumn = "write.metadata.metrics.column."

// commitProperties must be whole numbers, or no client could commit.
var commitProperties = []string{
	"commit.retry.num-retries", "commit.retry.min-wait-ms", "commit.retry.max-wait-ms",
	"commit.retry.total-timeout-ms",
}

// fillProperties gives a new table its properties: those that new tables have by default, and over them the client's,
// without the reserved ones.
func (r *CreateRequest) fillProperties(s *state, now time.Time) error {
	s.properties.Set("write.parquet.compression-codec", rawjson.OfString("zstd"))
	if r.Stage {
		s.properties.Set("created-at", rawjson.OfString(now.UTC().Format(time.RFC3339Nano)))
	}
	properties.Set(s.properties, r.Properties, isReserved)
	for _, key := range commitProperties {
		n, err := properties.Int(s.properties, key, 0)
		if err != nil {
			return err
		}
		if n < 0 {
			return fault.New(fault.Invalid, "Property %s must have non negative integer value: %d", key, n)
		}
	}
	return s.checkMetrics()
}

// checkMetrics refuses properties about columns that the new table has not.
func (s *state) checkMetrics() error {
	schema, err := s.parsedSchema()
	if err != nil {
		return err
	}
	for _, key := range s.properties.Keys() {
		column, found := strings.CutPrefix(key, metricsColumn)
		if !found {
			continue
		}
		if _, exists := schema.FindFieldByName(column); !exists {
			return fault.New(fault.Invalid,
				"Invalid metrics config, could not find column %s from table prop %s in schema", column, key)
		}
	}
	return nil
}

// renumberSources makes a partition or sort field refer to the fresh ids of the columns that the client meant.
func renumberSources(field *rawjson.Object, ids map[int]int) error {
	fresh := func(text rawjson.Value) (rawjson.Value, error) {
		id, err := rawjson.AsInt32(text)
		if err != nil {
			return nil, err
		}
		if _, known := ids[id]; !known {
			return nil, fmt.Errorf("no column has id %d", id)
		}
		return rawjson.OfInt(ids[id]), nil
	}
	if one := field.Get("source-id"); one != nil {
		renumbered, err := fresh(one)
		if err != nil {
			return err
		}
		field.Set("source-id", renumbered)
	}
	if several := field.Get("source-ids"); several != nil {
		renumbered, err := rawjson.AsArrayOf(several, fresh)
		if err != nil {
			return err
		}
		field.Set("source-ids", rawjson.OfList(renumbered))
	}
	return nil
}
