package nodes

import (
	"testing"
	"time"

	"github.com/onceberg/onceberg/internal/testdb"
)

// TestRollout kills a node of one form in mid-flight and sends the retries to
// nodes of the other, as happens while nodes are replaced one by one. What a
// two-phase node leaves behind means "perhaps applied" to a transactional one
// too: a refusal by the retry is neither recorded nor told to the client.
func TestRollout(t *testing.T) {
	t.Parallel()
	for from, to := range map[form]form{twoPhase: transactional, transactional: twoPhase} {
		t.Run(string(from)+" to "+string(to), func(t *testing.T) {
			t.Parallel()
			config := nodeConfig{Form: to, Lease: shortLease, WaitTimeout: 500 * time.Millisecond}
			c := newCluster(t, testdb.Postgres(t), config, func(i int, config *nodeConfig) {
				if i == 0 {
					config.Form = from
				}
			})
			c.killInMidFlight(from, c.nodes[0], [2]*node{c.nodes[1], c.nodes[2]})
		})
	}
}
