package memory

import "net/http"

// header keeps response headers flat, and makes a map of them when the record is
// first read. Most records never are, and the map would be the largest part of
// them.
type header struct {
	few   [fewFields]field // without an allocation of their own
	n     int
	more  []field
	built http.Header
}

// fewFields is how many headers an answer has, as a rule at most.
const fewFields = 2

// field is one value of a header, with its name as it was spelled. The values of
// one name stand together.
type field struct{ name, value string }

// flatten copies h. A name without values is no header and is left out.
func flatten(h http.Header) (flat header) {
	for name, values := range h {
		for _, value := range values {
			flat.add(field{name, value})
		}
	}
	return flat
}

func (h *header) add(f field) {
	if h.n < fewFields {
		h.few[h.n] = f
		h.n++
		return
	}
	h.more = append(h.more, f)
}

// http returns the headers as a map, which all callers share and must not
// change. Nil when there are none. The caller holds Store.mu.
func (h *header) http() http.Header {
	if h.built == nil && h.n > 0 {
		built := make(http.Header, h.n+len(h.more))
		for _, f := range h.few[:h.n] {
			built[f.name] = append(built[f.name], f.value)
		}
		for _, f := range h.more {
			built[f.name] = append(built[f.name], f.value)
		}
		*h = header{built: built}
	}
	return h.built
}
