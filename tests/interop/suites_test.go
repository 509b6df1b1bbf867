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

	settings []string // more of the server's
	env      []string // more of the client's
}

// suite is a client's tests.
type suite struct {
	name    string
	run     func(context.Context, *testing.T, run) ([]report.Test, error)
	atLeast int      // how many tests it is known to have
	skips   []string // the tests that it skips by itself
}

// kitSkips are off in the kit's own classes: no switch turns them on.
var kitSkips = []string{
	"createTableInUniqueLocation",
	// The empty namespace, which no route can name.
	"createAndDropEmptyNamespace", "listNamespacesWithEmptyNamespace", "listTablesInEmptyNamespace",
	"namespacePropertiesOnEmptyNamespace", "listViewsInEmptyNamespace",
	// These run as kit-more.
	"testListNestedNamespaces", "testDropNamespaceWithNestedNamespace",
	"testNamespaceWithSlash", "testTableNameWithSlash",
}

// Where the test classes are.
const (
	apaches = "org.apache.iceberg.rest.RESTCompatibilityKit"
	ours    = "onceberg.interop."
)

func suites(s subject) []suite {
	all := []suite{
		{name: "kit-catalog", atLeast: 106, skips: kitSkips, run: kit(apaches + "CatalogTests")},
		{name: "kit-views", atLeast: 51, skips: kitSkips, run: kit(apaches + "ViewCatalogTests")},
		{name: "kit-more", atLeast: 4, run: kit(ours+"SlashesAndLevelsTest",
			"testNamespaceWithSlash", "testTableNameWithSlash",
			"testListNestedNamespaces", "testDropNamespaceWithNestedNamespace")},
		{name: "story-lost", atLeast: 23, run: stories("LostAnswerTest", "RacingClientsTest")},
		{name: "story-plans", atLeast: 51, run: stories("PlanningTest")},
		{name: "pyiceberg", atLeast: 29, run: pyiceberg("--ignore=test_login.py")},
		{name: "iceberg-go", atLeast: 33, run: icebergGo("-skip=TestLogin")},
	}
	if s.inProgress != "" { // else there is no database to hold
		all = append(all, suite{name: "story-running", atLeast: 2, run: stories("InProgressTest")})
	}
	if s.logins {
		all = append(all,
			suite{name: "story-login", atLeast: 17, run: loginStories},
			suite{name: "pyiceberg-login", atLeast: 9, run: withLogins(pyiceberg("test_login.py"))},
			suite{name: "iceberg-go-login", atLeast: 8, run: withLogins(icebergGo("-run=TestLogin"))})
	}
	return all
}
