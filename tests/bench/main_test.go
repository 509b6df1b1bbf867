package bench_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/onceberg/onceberg/internal/testdb"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testdb.Main(m)) }
