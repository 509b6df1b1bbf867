package nodes

import "time"

// nodeVariable makes a process of this test binary a node; it holds a nodeConfig
// in JSON.
const nodeVariable = "ONCEBERG_TEST_NODE"

// nodeConfig is what a test tells a node.
type nodeConfig struct {
	Name string
	DSN  string
	Form form
	// Lease and WaitTimeout are runtime.Config's.
	Lease, WaitTimeout time.Duration
	// Lifetime is runtime.Config's.
	Lifetime time.Duration
	// Skew is by how much the node's clock is off, as far as the guard sees it.
	Skew time.Duration
}

// form is how a node executes keyed mutations.
type form string

const (
	twoPhase      form = "two-phase"
	reconciling   form = "two-phase with a reconcile hook"
	transactional form = "transactional"
	// unguarded ignores keys. It shows that the tests can fail.
	unguarded form = "unguarded"
)

var guarded = []form{twoPhase, reconciling, transactional}
