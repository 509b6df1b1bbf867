package memory

import "net/http"

// header keeps response headers flat, and makes a map of them when the record is
// first read. Most records never are, and the map would be the largest part of
// them.
type header struct {
	fields []field
	built  http.Header
}

// field is one value of a header, with its name as it was spelled. The values of
// one name stand together.
type field struct{ name, value string }

// flatten copies h. A name without values is no header and is left out.
func flatten(h http.Header) []field {
	n := 0
	for _, values := range h {
		n += len(values)
	}
	if n == 0 {
		return nil
	}
	fields := make([]field, 0, n)
	for name, values := range h {
		for _, value := range values {
			fields = append(fields, field{name, value})
		}
	}
	return fields
}

// http returns the headers as a map, which all callers share and must not
// change. Nil when there are none. The caller holds Store.mu.
func (h *header) http() http.Header {
	if h.built == nil && h.fields != nil {
		h.built = make(http.Header, len(h.fields))
		for _, f := range h.fields {
			h.built[f.name] = append(h.built[f.name], f.value)
		}
		h.fields = nil
	}
	return h.built
}
