package faulty

import (
	"time"

	"github.com/onceberg/onceberg/tests/conformance"
)

// A server whose records live shorter than it says, because somebody measured the
// lifetime in another unit, or from another moment. Clients rely on what it says.
var forgetsTooSoon = Fault{
	Name:       "forgets a key before its time",
	Fails:      []string{"lifetime-end"},
	Perhaps:    []string{"crowd"}, // where that many requests take longer than a record lives
	Operations: []string{conformance.ServerWide},
	install: func(s *server) {
		s.inside = rewriteConfig(func(config map[string]any) { config[lifetime] = "PT5S" })
		s.lives = time.Second
	},
}
