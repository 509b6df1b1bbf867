package faulty

import "github.com/onceberg/onceberg/tests/conformance"

// A server that keeps its records in a small cache, whatever lifetime it advertises:
// on a busy day a key is gone before its client comes back.
var forgetsAmongMany = Fault{
	Name:       "keeps the last hundred keys",
	Fails:      []string{"crowd"},
	Operations: []string{conformance.ServerWide},
	install:    func(s *server) { s.keeps = 100 },
}
