package testdb

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
)

// Runner runs the tests of a package and stops their servers afterwards.
type Runner struct {
	m *testing.M
}

// Main wraps what TestMain received.
func Main(m *testing.M) Runner { return Runner{m} }

// Run runs the tests, stops the shared servers, removes their folders, and
// returns the exit code. A server that cannot be stopped fails the run.
func (r Runner) Run() int {
	waitTogether()
	code := r.m.Run()
	for _, s := range []*shared{sharedPostgres, sharedMariaDB, durablePostgres, durableMariaDB} {
		if err := s.close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}

// atOnce is how many tests run at the same time, for each processor. Tests with a
// database wait more than they compute: for servers, locks and leases.
const atOnce = 3

// waitTogether has more tests run at the same time than the go command would,
// unless -parallel says how many.
func waitTogether() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(atOnce*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
}
