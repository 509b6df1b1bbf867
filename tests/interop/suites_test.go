//go:build interop

package interop

import (
	"context"
	"testing"

	"github.com/onceberg/onceberg/tests/interop/report"
)

// run is one suite on one server.
type run struct {
	subject subject
	server  server
	dir     string // where logs and reports go
}

// suite is a client's tests.
type suite struct {
	name    string
	run     func(context.Context, *testing.T, run) ([]report.Test, error)
	atLeast int      // how many tests it is known to have
	skips   []string // the tests that it skips by itself
}

// What the kit never runs against a REST server. It is off in the kit's own
// classes: no switch turns it on.
var kitSkips = []string{
	"createTableInUniqueLocation",
	// Nested namespaces.
	"testListNestedNamespaces", "testDropNamespaceWithNestedNamespace",
	// The empty namespace, which no route can name.
	"createAndDropEmptyNamespace", "listNamespacesWithEmptyNamespace", "listTablesInEmptyNamespace",
	"namespacePropertiesOnEmptyNamespace", "listViewsInEmptyNamespace",
	// Servlets refuse encoded slashes.
	"testNamespaceWithSlash", "testTableNameWithSlash",
}

func suites(s subject) []suite {
	all := []suite{
		{name: "kit-catalog", atLeast: 106, skips: kitSkips, run: kit("org.apache.iceberg.rest.RESTCompatibilityKitCatalogTests")},
		{name: "kit-views", atLeast: 51, skips: kitSkips, run: kit("org.apache.iceberg.rest.RESTCompatibilityKitViewCatalogTests")},
		{name: "story-lost", atLeast: 22, run: stories("LostAnswerTest")},
		{name: "pyiceberg", atLeast: 24, run: pyiceberg},
		{name: "iceberg-go", atLeast: 29, run: icebergGo},
	}
	if s.inProgress != "" { // else there is no database to hold
		all = append(all, suite{name: "story-running", atLeast: 2, run: stories("InProgressTest")})
	}
	return all
}
