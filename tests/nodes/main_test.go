package nodes

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testdb"
)

// TestMain runs the tests, or a node for them.
func TestMain(m *testing.M) {
	if config := os.Getenv(nodeVariable); config != "" {
		os.Exit(serveNode(config))
	}
	goleak.VerifyTestMain(testdb.Main(m))
}
