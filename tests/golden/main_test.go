package golden

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// TestMain draws fewer instances of each schema than rapid would, as there are
// hundreds of schemas; -rapid.checks asks for another number.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", "40"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}
