package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onceberg/onceberg/tests/interop/report"
)

// launcher is what JUnit's console launcher writes, with one test of each kind.
const launcher = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="JUnit Jupiter" tests="6" skipped="3" failures="1" errors="1">
<properties><property name="a" value="b"/></properties>
<testcase name="good(Path)" classname="K" time="1"><system-out><![CDATA[
unique-id: x
display-name: good(Path)
]]></system-out></testcase>
<testcase name="each(Mutation)[14]" classname="K" time="1"><system-out><![CDATA[
unique-id: x
display-name: replaceView
]]></system-out></testcase>
<testcase name="off()" classname="K"><skipped><![CDATA[not here]]></skipped></testcase>
<testcase name="assumed()" classname="K"><skipped><![CDATA[org.opentest4j.TestAbortedException: assumption was not met due to: [Only for nested namespaces] 
Expecting value to be true but was false
	at java.base/x.Y(Z.java:1)
]]></skipped></testcase>
<testcase name="wordless()" classname="K"><skipped><![CDATA[org.opentest4j.TestAbortedException: assumption was not met due to: 
Expecting value to be true but was false
	at java.base/x.Y(Z.java:1)
]]></skipped></testcase>
<testcase name="wrong()" classname="K"><failure message="expected 1&#10;but was 2" type="E"><![CDATA[E: expected 1
	at x]]></failure></testcase>
<testcase name="broken()" classname="K"><error type="E"><![CDATA[java.lang.E: no table
	at x.Y(Z.java:1)
	at x.Y(Z.java:2)]]></error></testcase>
</testsuite>`

func TestJUnit(t *testing.T) {
	t.Parallel()
	tests, err := report.JUnit(strings.NewReader(launcher))
	if err != nil {
		t.Fatal(err)
	}
	want := []report.Test{
		{Name: "good", Outcome: report.Passed},
		{Name: "each: replaceView", Outcome: report.Passed},
		{Name: "off", Outcome: report.Skipped, Detail: "not here"},
		{Name: "assumed", Outcome: report.Skipped, Detail: "Only for nested namespaces"},
		{Name: "wordless", Outcome: report.Skipped, Detail: "an assumption of the test, without words"},
		{Name: "wrong", Outcome: report.Failed, Detail: "expected 1\nbut was 2"},
		{Name: "broken", Outcome: report.Failed, Detail: "java.lang.E: no table"},
	}
	if diff := cmp.Diff(want, tests); diff != "" {
		t.Error(diff)
	}
}

func TestJUnitOfPytest(t *testing.T) {
	t.Parallel()
	tests, err := report.JUnit(strings.NewReader(`<?xml version="1.0"?>
<testsuites name="pytest tests"><testsuite name="pytest">
<testcase classname="test_x" name="test_append" time="0.1"/>
<testcase classname="test_y" name="test_append" time="0.1"/>
<testcase classname="test_y" name="test_append"><error message="clean-up failed">x</error></testcase>
<testcase classname="test_x" name="test_view[spark]" time="0.1"><skipped type="pytest.skip" message="no views">f.py:1: no views</skipped></testcase>
</testsuite></testsuites>`))
	if err != nil {
		t.Fatal(err)
	}
	want := []report.Test{
		{Name: "test_append", Outcome: report.Passed},
		{Name: "test_append", Outcome: report.Failed, Detail: "clean-up failed"},
		{Name: "test_view[spark]", Outcome: report.Skipped, Detail: "no views"},
	}
	if diff := cmp.Diff(want, tests); diff != "" {
		t.Error(diff)
	}
}

func TestJUnitRefuses(t *testing.T) {
	t.Parallel()
	if _, err := report.JUnit(strings.NewReader(`<testsuite tests="0"></testsuite>`)); !errors.Is(err, report.ErrNoTests) {
		t.Errorf("a suite without tests: %v", err)
	}
	if tests, err := report.JUnit(strings.NewReader(launcher[:len(launcher)/2])); err == nil {
		t.Errorf("half a report was read as %v", tests)
	}
}

// events is what go test -json writes.
const events = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestGood"}
{"Action":"output","Package":"p","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"pass","Package":"p","Test":"TestGood"}
{"Action":"output","Package":"p","Test":"TestSuite/Wrong","Output":"=== RUN   TestSuite/Wrong\n"}
{"Action":"output","Package":"p","Test":"TestSuite/Wrong","Output":"    a_test.go:1: no table\n"}
{"Action":"output","Package":"p","Test":"TestSuite/Wrong","Output":"--- FAIL: TestSuite/Wrong (0.00s)\n"}
{"Action":"fail","Package":"p","Test":"TestSuite/Wrong"}
{"Action":"output","Package":"p","Test":"TestSuite/Off","Output":"    a_test.go:2: not here\n"}
{"Action":"skip","Package":"p","Test":"TestSuite/Off"}
{"Action":"fail","Package":"p","Test":"TestSuite"}
{"Action":"pass","Package":"p","Test":"TestAfter/Inner"}
{"Action":"output","Package":"p","Test":"TestAfter","Output":"    a_test.go:3: clean-up failed\n"}
{"Action":"fail","Package":"p","Test":"TestAfter"}
{"Action":"fail","Package":"p"}
`

func TestGoTest(t *testing.T) {
	t.Parallel()
	tests, err := report.GoTest(strings.NewReader(events))
	if err != nil {
		t.Fatal(err)
	}
	want := []report.Test{
		{Name: "TestGood", Outcome: report.Passed},
		{Name: "TestSuite/Wrong", Outcome: report.Failed, Detail: "a_test.go:1: no table"},
		{Name: "TestSuite/Off", Outcome: report.Skipped, Detail: "a_test.go:2: not here"},
		{Name: "TestAfter/Inner", Outcome: report.Passed},
		{Name: "TestAfter", Outcome: report.Failed, Detail: "a_test.go:3: clean-up failed"},
	}
	if diff := cmp.Diff(want, tests); diff != "" {
		t.Error(diff)
	}
}

func TestGoTestThatDoesNotBuild(t *testing.T) {
	t.Parallel()
	_, err := report.GoTest(strings.NewReader("# p\na_test.go:1:1: undefined: x\n" + `{"Action":"fail","Package":"p"}`))
	if !errors.Is(err, report.ErrNoTests) || !strings.Contains(err.Error(), "undefined: x") {
		t.Errorf("got %v", err)
	}
}

func suites() []report.Suite {
	return []report.Suite{
		{Server: "sqlite", Name: "kit", Took: 1234 * time.Millisecond, Tests: []report.Test{
			{Name: "b", Outcome: report.Skipped, Detail: "why"},
			{Name: "a", Outcome: report.Skipped, Detail: "why"},
			{Name: "c", Outcome: report.Passed},
		}},
		{Server: "sqlite", Name: "stories", Took: time.Second, Tests: []report.Test{
			{Name: "lost", Outcome: report.Failed, Detail: "two snapshots\nnot one"},
		}},
		{Server: "postgres", Name: "kit", Err: "the server did not start"},
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.Text(&b, suites()); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
server    suite    tests  run  passed  failed  skipped  time  
sqlite    kit      3      1    1       0       2        1.2s  ok
sqlite    stories  1      1    0       1       0        1s    FAILED
postgres  kit      0      0    0       0       0        0s    FAILED
skipped, sqlite, kit: a, b (why)
FAILED, sqlite, stories: lost
    two snapshots
    not one
FAILED, postgres, kit: the server did not start
`, "\n")
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := report.JSON(&b, suites()); err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0]["passed"] != 1.0 || got[0]["skipped"] != 2.0 || got[0]["ok"] != true ||
		got[1]["ok"] != false || got[2]["error"] != "the server did not start" {
		t.Errorf("got %s", b.String())
	}
}

// FuzzJUnit asks that no input is read as more than it says.
func FuzzJUnit(f *testing.F) {
	f.Add([]byte(launcher))
	f.Add([]byte(launcher[:300]))
	f.Add([]byte(`<testcase name="a(b)[1]"/>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tests, err := report.JUnit(bytes.NewReader(data))
		check(t, tests, err)
	})
}

func FuzzGoTest(f *testing.F) {
	f.Add([]byte(events))
	f.Add([]byte("{\"Action\":\"fail\",\"Test\":\"/\"}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tests, err := report.GoTest(bytes.NewReader(data))
		check(t, tests, err)
	})
}

func check(t *testing.T, tests []report.Test, err error) {
	t.Helper()
	if (err == nil) != (len(tests) > 0) {
		t.Fatalf("%d tests and the error %v", len(tests), err)
	}
	s := report.Suite{Tests: tests}
	if s.Count(report.Passed)+s.Count(report.Failed)+s.Count(report.Skipped) != len(tests) {
		t.Fatalf("tests without an outcome: %v", tests)
	}
}
