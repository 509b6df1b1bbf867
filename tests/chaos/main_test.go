package chaos

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/internal/testproc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testproc.Main(testdb.Main(m))) }

// build builds cmd/server, with a clock that can be moved.
var build = testproc.Program("server", "-tags", "chaos")
