package servers

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/internal/testproc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testproc.Main(testdb.Main(m))) }

// buildServer builds our server.
var buildServer = testproc.Program("server")
