package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/onceberg/onceberg/runtime"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	metricName  = regexp.MustCompile(`\bonceberg_[a-z_]+`)
	exposedName = regexp.MustCompile(`(?m)^# TYPE (onceberg_[a-z_]+) `)
	ofHistogram = regexp.MustCompile(`_(bucket|count|sum)$`)
)

// metricNames are the metrics that a text mentions.
func metricNames(text string) []string {
	names := map[string]bool{}
	for _, name := range metricName.FindAllString(text, -1) {
		names[ofHistogram.ReplaceAllString(name, "")] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// Documentation, dashboard and alerts speak of the metrics that there are.
func TestDocumentedMetrics(t *testing.T) {
	t.Parallel()
	p := start(t, "--idempotency.enabled")
	p.create("a", newKey(t))
	var exposed []string
	for _, match := range exposedName.FindAllStringSubmatch(p.do(http.MethodGet, "/metrics", "").text, -1) {
		exposed = append(exposed, match[1])
	}
	slices.Sort(exposed)
	if documented := metricNames(read(t, "docs/operations.md")); !cmp.Equal(documented, exposed) {
		t.Errorf("documented, not exposed:\n%s", cmp.Diff(exposed, documented))
	}
	for _, file := range []string{"deploy/grafana-dashboard.json", "deploy/prometheus-rules.yaml"} {
		for _, name := range metricNames(read(t, file)) {
			if !slices.Contains(exposed, name) {
				t.Errorf("%s: there is no metric %s", file, name)
			}
		}
	}
}

var outcomeMatch = regexp.MustCompile(`outcome(?:=|!=|=~|!~)\\?"([a-z_|]+)\\?"`)

// Every outcome is explained, and dashboard and alerts look for no other.
func TestDocumentedOutcomes(t *testing.T) {
	t.Parallel()
	documentation := read(t, "docs/operations.md")
	known := slices.Clone(outcomes)
	known = append(known, "failed")
	for _, event := range []runtime.Event{
		runtime.EventExecuted, runtime.EventReplayed, runtime.EventReleased, runtime.EventUnclear, runtime.EventInProgress,
		runtime.EventMismatch, runtime.EventInvalidKey, runtime.EventStaleKey, runtime.EventUnreplayable, runtime.EventBypassed,
		runtime.EventRefused, runtime.EventWaited, runtime.EventTakenOver, runtime.EventStoreError, runtime.EventLeaseLost,
		runtime.EventOmitted,
	} {
		known = append(known, string(event))
		if !strings.Contains(documentation, "`"+string(event)+"`") {
			t.Errorf("the outcome %s is not explained", event)
		}
	}
	for _, file := range []string{"deploy/grafana-dashboard.json", "deploy/prometheus-rules.yaml"} {
		for _, match := range outcomeMatch.FindAllStringSubmatch(read(t, file), -1) {
			for outcome := range strings.SplitSeq(match[1], "|") {
				if !slices.Contains(known, outcome) {
					t.Errorf("%s: there is no outcome %s", file, outcome)
				}
			}
		}
	}
}

// Every alert says what to do.
func TestDocumentedAlerts(t *testing.T) {
	t.Parallel()
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations struct{ Summary string }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "deploy/prometheus-rules.yaml")), &rules); err != nil {
		t.Fatal(err)
	}
	documentation, count := read(t, "docs/operations.md"), 0
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			count++
			if !strings.Contains(documentation, "| `"+rule.Alert+"` | ") || rule.Expr == "" || rule.Annotations.Summary == "" {
				t.Errorf("%s is not documented or not whole", rule.Alert)
			}
		}
	}
	if documented := strings.Count(documentation, "| `Onceberg"); count == 0 || documented != count {
		t.Errorf("%d alerts, %d documented", count, documented)
	}
}

// The dashboard is one that Grafana imports: it has an id, a data source to
// choose, and panels that do not lie on one another.
func TestDashboard(t *testing.T) {
	t.Parallel()
	type place struct{ X, Y, W, H int }
	var dashboard struct {
		UID, Title string
		Templating struct{ List []struct{ Name, Type string } }
		Panels     []struct {
			Title   string
			GridPos place
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "deploy/grafana-dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	if dashboard.UID == "" || dashboard.Title == "" || len(dashboard.Templating.List) == 0 || len(dashboard.Panels) == 0 {
		t.Errorf("%+v", dashboard)
	}
	for i, a := range dashboard.Panels {
		if len(a.Targets) == 0 || a.GridPos.X+a.GridPos.W > 24 {
			t.Errorf("%s: %+v", a.Title, a)
		}
		for _, b := range dashboard.Panels[:i] {
			p, q := a.GridPos, b.GridPos
			if p.X < q.X+q.W && q.X < p.X+p.W && p.Y < q.Y+q.H && q.Y < p.Y+p.H {
				t.Errorf("%s lies on %s", a.Title, b.Title)
			}
		}
	}
}
