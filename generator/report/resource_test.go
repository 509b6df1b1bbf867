package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/generator"
	"github.com/onceberg/onceberg/generator/plan"
	"github.com/onceberg/onceberg/internal/upstream"
)

func groups(operations []plan.Operation) map[string][]string {
	got := map[string][]string{}
	for _, g := range resources(operations) {
		for _, r := range g.Rows {
			got[g.Name] = append(got[g.Name], r.ID)
		}
	}
	return got
}

func TestResources(t *testing.T) {
	t.Parallel()
	operations := []plan.Operation{
		{ID: "getConfig", Path: "/v1/config"},
		{ID: "getTable", Path: "/v1/{prefix}/namespaces/{ns}/tables/{t}"},
		{ID: "getGenericTable", Path: "/v1/{prefix}/namespaces/{ns}/generic-tables/{t}"},
		{ID: "registerTable", Path: "/v1/{prefix}/namespaces/{ns}/register"},
		{ID: "registerGenericTable", Path: "/v1/{prefix}/namespaces/{ns}/register-generic"},
		{ID: "updateProperties", Path: "/v1/{prefix}/namespaces/{ns}/properties"},
		{ID: "renameTable", Path: "/v1/{prefix}/tables/rename"},
		{ID: "commit", Path: "/v1/{prefix}/transactions/commit"},
		{ID: "home", Path: "/"},
		{ID: "any", Path: "/{anything}"},
		{ID: "beta", Path: "/shop/v2beta1/orders/{id}/pay"},
	}
	want := map[string][]string{
		"config":         {"getConfig"},
		"tables":         {"getTable", "registerTable", "renameTable"},
		"generic-tables": {"getGenericTable", "registerGenericTable"},
		"namespaces":     {"updateProperties"},
		"transactions":   {"commit"},
		"/":              {"home", "any"},
		"orders":         {"beta"},
	}
	if diff := cmp.Diff(want, groups(operations)); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

func TestUpstreamResources(t *testing.T) {
	t.Parallel()
	spec := upstream.Spec(t, upstream.Files[0])
	if spec == nil {
		return
	}
	a, err := generator.Analyze(spec, generator.Config{Spec: upstream.Files[0]})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"config": 1, "oauth": 1, "namespaces": 6, "tables": 13, "functions": 2, "plan": 3, "transactions": 1, "views": 8,
	}
	got := map[string]int{}
	for name, ids := range groups(a.Plan.Operations) {
		got[name] = len(ids)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}
