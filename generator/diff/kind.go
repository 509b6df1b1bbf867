package diff

// Kind names what happened. The values are stable.
type Kind string

// The kinds of change. Where kinds come in pairs, swapping the two documents
// turns one into the other.
const (
	OperationAdded    Kind = "operation-added"
	OperationRemoved  Kind = "operation-removed"
	OperationMoved    Kind = "operation-moved"   // same id, another method or path
	OperationRenamed  Kind = "operation-renamed" // same method and path, another id
	Deprecated        Kind = "deprecated"        // an operation, a parameter or a field
	DeprecationLifted Kind = "deprecation-lifted"

	KeyGained Kind = "key-gained"
	KeyLost   Kind = "key-lost"

	StatusAdded           Kind = "status-added" // of an operation that takes no key, or neither final nor released
	StatusRemoved         Kind = "status-removed"
	FinalStatusAdded      Kind = "final-status-added"
	FinalStatusRemoved    Kind = "final-status-removed"
	ReleasedStatusAdded   Kind = "released-status-added"
	ReleasedStatusRemoved Kind = "released-status-removed"
	StateUnknownGained    Kind = "state-unknown-gained"
	StateUnknownLost      Kind = "state-unknown-lost"

	ParameterAdded    Kind = "parameter-added"
	ParameterRemoved  Kind = "parameter-removed"
	ParameterRequired Kind = "parameter-required"
	ParameterOptional Kind = "parameter-optional"
	ParameterRenamed  Kind = "parameter-renamed" // of a path: not on the wire

	BodyAdded        Kind = "body-added"
	BodyRemoved      Kind = "body-removed"
	BodyRequired     Kind = "body-required"
	BodyOptional     Kind = "body-optional"
	MediaTypeAdded   Kind = "media-type-added"
	MediaTypeRemoved Kind = "media-type-removed"

	FieldAdded       Kind = "field-added" // of an object, or a response header
	FieldRemoved     Kind = "field-removed"
	FieldRequired    Kind = "field-required"
	FieldOptional    Kind = "field-optional"
	FieldNullable    Kind = "field-nullable"
	FieldNotNullable Kind = "field-not-nullable"

	TypeChanged       Kind = "type-changed"
	SchemaRenamed     Kind = "schema-renamed"
	EnumValueAdded    Kind = "enum-value-added"
	EnumValueRemoved  Kind = "enum-value-removed"
	VariantAdded      Kind = "variant-added" // of a oneOf, an anyOf or a discriminator
	VariantRemoved    Kind = "variant-removed"
	ConstraintChanged Kind = "constraint-changed" // a limit, a default, a pattern and the like
)

// Severity says whether somebody breaks.
type Severity string

// The severities.
const (
	Breaking Severity = "breaking"
	Notable  Severity = "notable"
)

// Party is one of the two sides that a document stands between.
type Party string

// The parties.
const (
	Clients Party = "clients"
	Servers Party = "servers"
)

// direction is the way that data goes, or both ways.
type direction int

const (
	inRequest direction = 1 << iota
	inResponse
)

// effect is what a change does to the data that goes one way or the other.
type effect int

const (
	harmless effect = iota
	widened         // more may come than before
	narrowed        // less may come, or more must
	gone            // what clients used is no longer there
	replaced        // what was is something else now
	recoded         // only names in generated code are others
)

// breaks says who breaks, given the ways that the data goes.
func (e effect) breaks(d direction) []Party {
	clients, servers := false, false
	switch e {
	case widened:
		clients, servers = d&inResponse != 0, d&inRequest != 0
	case narrowed:
		clients, servers = d&inRequest != 0, d&inResponse != 0
	case gone:
		clients = true
	case replaced:
		clients, servers = true, true
	case recoded:
		servers = true
	}
	parties := []Party{}
	if clients {
		parties = append(parties, Clients)
	}
	if servers {
		parties = append(parties, Servers)
	}
	return parties
}
