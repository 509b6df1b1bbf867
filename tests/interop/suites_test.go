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

func suites() []suite {
	return []suite{
		{name: "kit-catalog", atLeast: 106, skips: kitSkips, run: kit("org.apache.iceberg.rest.RESTCompatibilityKitCatalogTests")},
		{name: "kit-views", atLeast: 51, skips: kitSkips, run: kit("org.apache.iceberg.rest.RESTCompatibilityKitViewCatalogTests")},
		{name: "stories", atLeast: 24, run: stories},
		{name: "pyiceberg", atLeast: 24, run: pyiceberg},
		{name: "iceberg-go", atLeast: 28, run: icebergGo},
	}
}
