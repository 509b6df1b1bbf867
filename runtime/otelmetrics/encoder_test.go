package otelmetrics_test

import (
	"strings"

	"go.opentelemetry.io/otel/attribute"
)

// labelEncoder writes labels as "name=value name=value".
type labelEncoder struct{}

var encoderID = attribute.NewEncoderID()

func (labelEncoder) ID() attribute.EncoderID { return encoderID }

func (labelEncoder) Encode(iterator attribute.Iterator) string {
	var text []string
	for iterator.Next() {
		kv := iterator.Attribute()
		text = append(text, string(kv.Key)+"="+kv.Value.String())
	}
	return strings.Join(text, " ")
}
