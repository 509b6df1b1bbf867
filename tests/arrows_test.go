package tests

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/onceberg/onceberg"

// clouds are the object stores' clients, which the server alone adds.
var clouds = []string{
	"gocloud.dev", "cloud.google.com/go/storage", "github.com/aws", "github.com/Azure", "github.com/AzureAD",
}

// heavy is what only a catalog of tables needs: whoever builds a server of another
// kind, or a client, compiles none of it.
var heavy = append([]string{
	"github.com/apache/iceberg-go", "github.com/apache/arrow-go", "google.golang.org/grpc",
}, clouds...)

var (
	generators = []string{"github.com/oapi-codegen/oapi-codegen", "github.com/getkin/kin-openapi"}
	databases  = []string{
		"database/sql", "github.com/uptrace/bun", "github.com/go-sql-driver/mysql", "modernc.org/sqlite", "mellium.im/sasl",
	}
	echo = []string{"github.com/labstack/echo"}
)

// The arrows of the design: which packages of the project a package may know,
// itself aside, and which of others it must not compile.
func TestArrows(t *testing.T) {
	t.Parallel()
	for name, arrow := range map[string]struct {
		packages string // for go list, below the module
		may      string // of the project, separated by spaces; "x/..." is all below x, too
		mustNot  [][]string
	}{
		"the generator writes text and runs nothing": {
			"generator/...", "generator/... templates", [][]string{heavy, databases, echo},
		},
		"templates are text":     {"templates", "", [][]string{heavy, databases, echo, generators}},
		"the document is facts":  {"spec", "generator/specimport generator/document generator/grammar", [][]string{heavy, databases, generators}},
		"generated code":         {"generated", "runtime store", [][]string{heavy, databases, generators}},
		"the runtime":            {"runtime", "store", [][]string{heavy, databases, generators}},
		"the runtime's metrics":  {"runtime/otelmetrics", "runtime store", [][]string{heavy, databases, generators}},
		"the storage SPI":        {"store", "", [][]string{heavy, databases, generators, echo}},
		"the store in memory":    {"store/memory", "store", [][]string{heavy, databases, generators, echo}},
		"the purger":             {"store/purge", "store", [][]string{heavy, databases, generators, echo}},
		"the stores' suite":      {"store/storetest", "store", [][]string{heavy, databases, generators, echo}},
		"the store in databases": {"store/sqlstore", "store internal/migration internal/sqlfault", [][]string{heavy, generators, echo}},
		"the catalog": {
			"catalog/...", "catalog/... generated runtime store internal/migration internal/sqlfault", [][]string{generators, clouds},
		},
		"the catalog's metadata knows no server": {
			"catalog/metadata/...", "catalog/metadata/...", [][]string{generators, clouds, databases, echo},
		},
		"the client": {"client", "runtime store", [][]string{heavy, databases, generators}},
		"the client's lossy proxy": {
			"client/clienttest", "", [][]string{heavy, databases, generators, echo},
		},
		"a team's server": {
			"runtime store store/memory store/sqlstore generated", "internal/migration internal/sqlfault", [][]string{heavy, generators},
		},
		"the generator's command": {"cmd/gen", "generator/... templates", [][]string{heavy, databases, echo}},
		"the kit's command": {
			"cmd/conform", "tests/conformance client client/clienttest generated runtime store", [][]string{heavy, databases, generators},
		},
		"the server does not generate": {
			"cmd/server", "cmd/server/... catalog/... generated runtime/... store/... internal/migration internal/sqlfault", [][]string{generators},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of := strings.Fields(arrow.packages)
			patterns := make([]string, len(of))
			for i, pattern := range of {
				patterns[i] = module + "/" + pattern
			}
			forbidden := map[string]string{}
			may := append(strings.Fields(arrow.may), of...)
			for _, found := range depsOf(t, ".", patterns...) {
				if own, ok := strings.CutPrefix(found, module+"/"); ok && !slices.ContainsFunc(may, holds(own)) {
					t.Errorf("%s must not know %s", arrow.packages, own)
				}
				for _, name := range slices.Concat(arrow.mustNot...) {
					if holds(found)(name) {
						forbidden[name] = found
					}
				}
			}
			for name, found := range forbidden {
				t.Errorf("%s must not compile %s: it does, by %s", arrow.packages, name, found)
			}
		})
	}
}

// What packages must not compile is what the commands do compile, by these names.
func TestArrowsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	all := depsOf(t, ".", module+"/cmd/server", module+"/cmd/gen")
	for _, name := range slices.Concat(heavy, generators, databases, echo) {
		if !slices.ContainsFunc(all, func(found string) bool { return holds(found)(name) }) {
			t.Errorf("no command compiles %s", name)
		}
	}
}

// holds reports whether a name of the table is a package, or the root of one.
func holds(found string) func(string) bool {
	return func(name string) bool {
		root, below := strings.CutSuffix(name, "/...")
		below = below || !strings.HasPrefix(name, module) && strings.Contains(name, ".")
		return found == root || below && strings.HasPrefix(found, root+"/")
	}
}

// depsOf lists all that packages compile, themselves included.
func depsOf(t *testing.T, dir string, packages ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps"}, packages...)...)
	cmd.Dir = dir
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &problems)
	}
	return strings.Fields(string(out))
}
