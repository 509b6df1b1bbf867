//go:build interop

package interop

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/onceberg/onceberg/internal/testdb"
	"github.com/onceberg/onceberg/internal/testproc"
	"github.com/onceberg/onceberg/tests/interop/report"
)

var (
	given = flag.String("url", "", "a server that runs already, tested as the subject \"given\"")
	out   = flag.String("out", "../../bin/interop", "folder for logs and reports")
)

// root is the folder of the module, as seen from this package.
const root = "../.."

func TestMain(m *testing.M) {
	flag.Parse()
	code := testproc.Main(testdb.Main(m)).Run()
	if err := results.print(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// results are what all suites said.
var results board

type board struct {
	mu     sync.Mutex
	suites []report.Suite
}

func (b *board) add(s report.Suite) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.suites = append(b.suites, s)
}

// print shows the table, and writes it down for people and for programs.
func (b *board) print() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.suites) == 0 {
		return nil
	}
	if err := report.Text(os.Stdout, b.suites); err != nil {
		return err
	}
	text, err := os.Create(filepath.Join(*out, "report.txt"))
	if err != nil {
		return err
	}
	defer text.Close()
	if err := report.Text(text, b.suites); err != nil {
		return err
	}
	programs, err := os.Create(filepath.Join(*out, "report.json"))
	if err != nil {
		return err
	}
	defer programs.Close()
	return report.JSON(programs, b.suites)
}
