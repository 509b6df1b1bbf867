package conformance

import (
	"context"

	"github.com/onceberg/onceberg/generated"
)

// Case is one kind of question to a server. It is asked of every operation that
// takes a key, or once of the server as a whole.
type Case struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Level Level  `json:"level"`
	// Sentence is the phrase of the specification that the case rests on, and
	// Place where it stands.
	Sentence string `json:"sentence"`
	Place    string `json:"place"`
	// Server is true when the case is about the server as a whole.
	Server bool `json:"server,omitempty"`
}

// Places in the specification.
const (
	inKey      = "rest-catalog-open-api.yaml, parameter Idempotency-Key"
	inLifetime = "rest-catalog-open-api.yaml, CatalogConfig.idempotency-key-lifetime"
	inErrors   = "rest-catalog-open-api.yaml, schema IcebergErrorResponse"
	inUUID     = "RFC 9562, section 4"
)

// Sentences that several cases rest on.
const (
	noMoreEffects = "the server ensures no additional effects for requests that carry the same Idempotency-Key"
	equivalent    = "the server returns an equivalent final response without re-running the operation"
	terminal      = "Finalize & replay: 200, 201, 204, and deterministic terminal 4xx (including 409 …)"
	unique        = "The idempotency key must be globally unique (no reuse across different operations)"
	form          = "Key format: UUIDv7 in string form (RFC 9562)"
	optional      = "Optional client-provided idempotency key"
)

// kind is a case with what it does. An error says what it came to: nil is a
// pass, see outcome.go.
type kind struct {
	Case
	run func(context.Context, *trial) error
}

// cell is a case of an operation, what a run consists of.
type cell struct {
	operation string
	kind      *kind
}

// Cases returns all cases, in the order in which reports show them.
func Cases() []Case {
	cases := make([]Case, len(kinds))
	for i, k := range kinds {
		cases[i] = k.Case
	}
	return cases
}

// allCells are the cells of a server that offers everything.
func allCells() []cell {
	var cells []cell
	for _, k := range kinds {
		if k.Server {
			cells = append(cells, cell{ServerWide, k})
		}
	}
	for _, op := range generated.Operations {
		if !op.Idempotent {
			continue
		}
		for _, k := range kinds {
			if !k.Server {
				cells = append(cells, cell{op.ID, k})
			}
		}
	}
	return cells
}

// undeclared are the operations whose key the specification does not declare,
// though clients send it: what they do is good practice at most.
var undeclared = map[string]bool{"createView": true}

// level is what a case weighs for an operation.
func (c cell) level() Level {
	if undeclared[c.operation] {
		return Quality
	}
	return c.kind.Level
}
