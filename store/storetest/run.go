package storetest

import (
	"testing"

	"github.com/onceberg/onceberg/store"
)

// Run checks that a store keeps every promise of store.Store, each behaviour in
// a subtest with a store of its own.
func Run(t *testing.T, factory Factory) {
	t.Helper()
	declared := probe(t, factory)
	runGroup(t, factory, "Reserve", reserving)
	runGroup(t, factory, "Lease", leasing)
	runGroup(t, factory, "Zombie", fencing)
	runGroup(t, factory, "Finalize", finalizing)
	runGroup(t, factory, "Release", releasing)
	runGroup(t, factory, "Expiry", expiring)
	runGroup(t, factory, "Purge", purging)
	runGroup(t, factory, "Content", content)
	runGroup(t, factory, "Ownership", ownership)
	runGroup(t, factory, "Instants", instants)
	runGroup(t, factory, "Context", cancelling)
	runGroup(t, factory, "Close", closing)
	if declared.Reopen != nil {
		runGroup(t, factory, "Handles", sharing)
	}
	if declared.Outage != nil {
		runGroup(t, factory, "Outage", outages)
	}
	if declared.Stall != nil {
		runGroup(t, factory, "Stall", stalls)
	}
	if declared.Capacity > 0 {
		runGroup(t, factory, "Capacity", filling)
	}
}

// RunTransactional checks that a store keeps every promise of
// store.Transactional. It does not repeat Run.
func RunTransactional(t *testing.T, factory Factory) {
	t.Helper()
	declared := probe(t, factory)
	if _, ok := declared.Store.(store.Transactional); !ok {
		t.Fatalf("storetest: %T does not implement store.Transactional", declared.Store)
	}
	if declared.Counter == nil {
		t.Fatal("storetest: RunTransactional needs an Instance with a Counter")
	}
	runGroup(t, factory, "Decision", deciding)
	runGroup(t, factory, "Existing", yielding)
	runGroup(t, factory, "Failure", failing)
	runGroup(t, factory, "Twins", racing)
}

// behaviour is one promise and how to check it.
type behaviour struct {
	name  string
	check func(s *subject)
}

func runGroup(t *testing.T, factory Factory, group string, behaviours []behaviour) {
	t.Helper()
	t.Run(group, func(t *testing.T) {
		t.Parallel()
		for _, b := range behaviours {
			t.Run(b.name, func(t *testing.T) {
				t.Parallel()
				b.check(open(t, factory))
			})
		}
	})
}

// probe opens an instance only to see what it declares.
func probe(t *testing.T, factory Factory) Instance {
	t.Helper()
	instance := factory(t)
	if instance.Store == nil {
		t.Fatal("storetest: the factory returned an Instance without a Store")
	}
	return instance
}
