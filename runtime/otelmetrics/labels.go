package otelmetrics

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// labels are the values of the labels of a measurement; an empty one is left
// out.
type labels struct{ operation, call, outcome string }

// options are labels in the two forms that instruments take.
type options struct {
	add    []metric.AddOption
	record []metric.RecordOption
}

func (o *Observer) labelled(l labels) *options {
	o.mu.RLock()
	known := o.known[l]
	o.mu.RUnlock()
	if known != nil {
		return known
	}
	var set []attribute.KeyValue
	for _, label := range []struct{ name, value string }{
		{"operation", l.operation}, {"call", l.call}, {"outcome", l.outcome},
	} {
		if label.value != "" {
			set = append(set, attribute.String(label.name, label.value))
		}
	}
	option := metric.WithAttributeSet(attribute.NewSet(set...))
	made := &options{add: []metric.AddOption{option}, record: []metric.RecordOption{option}}
	o.mu.Lock()
	o.known[l] = made
	o.mu.Unlock()
	return made
}
