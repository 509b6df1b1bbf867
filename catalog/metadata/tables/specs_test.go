package tables_test

import (
	"strings"
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

func addSpec(fields string) string {
	return `{"action":"add-spec","spec":{"spec-id":55,"fields":[` + fields + `]}}`
}

const (
	specIsLast = `{"action":"set-default-spec","spec-id":-1}`
	byDay      = `{"name":"ts_day","transform":"day","source-id":2,"field-id":1000}`
	byBucket   = `{"name":"id_bucket","transform":"bucket[4]","source-id":1,"field-id":1001}`
)

func TestAddSpec(t *testing.T) {
	t.Parallel()
	made := apply(t, create(t, 2), join(addSpec(byDay), specIsLast))
	expect(t, made, "1", "default-spec-id")
	expect(t, made, "1000", "last-partition-id")
	expect(t, made, `{"fields":[{"field-id":1000,"name":"ts_day","source-id":2,"transform":"day"}],"spec-id":1}`, "partition-specs", 1)

	// The same fields under other ids are the same spec; no spec at all is spec 0 again.
	unchanged(t, made, join(addSpec(`{"transform":"day","name":"ts_day","source-id":2,"field-id":1007}`), specIsLast))
	back := apply(t, made, join(addSpec(""), specIsLast))
	expect(t, back, "0", "default-spec-id")
	expect(t, back, "1000", "last-partition-id")
}

func TestSpecFieldsGetIDs(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(addSpec(byDay+","+byBucket), specIsLast))
	made := apply(t, base, addSpec(`{"name":"bucket_again","transform":"bucket[4]","source-id":1},
		{"name":"year","transform":"year","source-id":2}`))
	expect(t, made, `[{"field-id":1001,"name":"bucket_again","source-id":1,"transform":"bucket[4]"},`+
		`{"field-id":1002,"name":"year","source-id":2,"transform":"year"}]`, "partition-specs", 2, "fields")
	expect(t, made, "1002", "last-partition-id")
}

// A counter that some writer let fall behind must not make an id be given twice.
func TestSpecFieldsGetIDsPastAStaleCounter(t *testing.T) {
	t.Parallel()
	base := register(t, strings.Replace(newest, `"last-partition-id": 1000`, `"last-partition-id": 999`, 1))
	made := apply(t, base, addSpec(`{"name":"t","transform":"truncate[4]","source-id":1}`))
	expect(t, made, "1001", "partition-specs", 1, "fields", 0, "field-id")
	expect(t, made, "1001", "last-partition-id")
}

func TestSpecKeepsWhatIcebergGoLoses(t *testing.T) {
	t.Parallel()
	base := create(t, 3)
	made := apply(t, base, addSpec(`{"name":"z","transform":"zorder","source-ids":[1,2],"field-id":1000,"curve":"hilbert"}`))
	expect(t, made, `{"curve":"hilbert","field-id":1000,"name":"z","source-ids":[1,2],"transform":"zorder"}`, "partition-specs", 1, "fields", 0)
	made = apply(t, made, addSpec(`{"name":"z","transform":"zorder","source-ids":[1,2],"field-id":1000,"curve":"peano"}`))
	expect(t, made, `"peano"`, "partition-specs", 2, "fields", 0, "curve")
}

func TestSpecsOfVersion1AreSequential(t *testing.T) {
	t.Parallel()
	base := create(t, 1)
	refused(t, base, addSpec(byBucket), fault.Invalid, "Spec does not use sequential IDs that are required in v1")
	made := apply(t, base, join(addSpec(byDay+","+byBucket), specIsLast))
	if member(t, made, "partition-spec") != member(t, made, "partition-specs", 1, "fields") {
		t.Error("partition-spec must be the default spec's fields")
	}
	// A shorter spec takes nothing back.
	shorter := apply(t, made, join(addSpec(byDay), specIsLast))
	expect(t, shorter, "1001", "last-partition-id")
	// A dropped field stays as void, whose column may be gone.
	dropped := apply(t, made, join(addSpec(`{"name":"ts_day","transform":"void","source-id":2,"field-id":1000},`+byBucket), specIsLast,
		addSchema(`{"type":"struct","fields":[{"id":1,"name":"id","type":"long","required":true}]}`), currentIsLast))
	expect(t, dropped, "2", "default-spec-id")
}

func TestSpecsRefused(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(addSchema(`{"type":"struct","fields":[
		{"id":1,"name":"id","type":"long","required":true},{"id":2,"name":"ts","type":"timestamp","required":false},
		{"id":3,"name":"l","required":true,"type":{"type":"list","element-id":4,"element":"int","element-required":true}},
		{"id":6,"name":"s","required":true,"type":{"type":"struct","fields":[{"id":7,"name":"x","type":"int","required":true}]}}]}`), currentIsLast))
	for fields, c := range map[string]struct {
		kind fault.Kind
		text string
	}{
		`{"name":"p","transform":"identity","source-id":9,"field-id":1000}`:   {fault.Invalid, "Cannot find source column for partition field: 1000: p: identity(9)"},
		`{"name":"p","transform":"identity","source-id":3,"field-id":1000}`:   {fault.Invalid, "Cannot partition by non-primitive source field"},
		`{"name":"p","transform":"identity","source-id":4,"field-id":1000}`:   {fault.Invalid, "Invalid partition field parent"},
		`{"name":"p","transform":"hour","source-id":1,"field-id":1000}`:       {fault.Invalid, "Invalid source type long for transform: hour"},
		`{"name":"id","transform":"bucket[2]","source-id":2,"field-id":1000}`: {fault.IllegalArgument, "Cannot create identity partition sourced from different field in schema: id"},
		`{"name":"","transform":"identity","source-id":1,"field-id":1000}`:    {fault.Invalid, "partition name cannot be empty"},
		byDay + `,` + byDay: {fault.Invalid, "duplicate partition name"},
		`{"name":"p","transform":"bucket[0]","source-id":1,"field-id":1000}`: {fault.Invalid, "Invalid partition spec"},
		`{"name":"p","source-id":1,"field-id":1000}`:                         {fault.Invalid, "requires a transform"},
		`{"name":"p","transform":"identity","field-id":1000}`:                {fault.Invalid, "source-id"},
		`{"name":"p","transform":"identity","source-id":1,"field-id":"x"}`:   {fault.Invalid, "field ID"},
	} {
		refused(t, base, addSpec(fields), c.kind, c.text)
	}
	// Inside structs is fine.
	apply(t, base, addSpec(`{"name":"p","transform":"identity","source-id":7,"field-id":1000}`))
	refused(t, base, specIsLast, fault.Invalid, "Cannot set last added spec: no spec has been added")
	refused(t, base, `{"action":"set-default-spec","spec-id":3}`, fault.IllegalArgument, "unknown spec: 3")
}

func TestRemovePartitionSpecs(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(addSpec(byDay), specIsLast))
	refused(t, base, `{"action":"remove-partition-specs","spec-ids":[1]}`, fault.IllegalArgument, "Cannot remove the default partition spec")
	made := apply(t, base, `{"action":"remove-partition-specs","spec-ids":[0]}`)
	expect(t, made, "1", "partition-specs", 0, "spec-id")
	unchanged(t, made, `{"action":"remove-partition-specs","spec-ids":[0,7]}`)
}

const (
	byID = `{"transform":"identity","source-id":1,"direction":"asc","null-order":"nulls-first"}`
	byTS = `{"transform":"day","source-id":2,"direction":"desc","null-order":"nulls-last","collation":"x"}`
)

func addOrder(fields string) string {
	return `{"action":"add-sort-order","sort-order":{"order-id":8,"fields":[` + fields + `]}}`
}

const orderIsLast = `{"action":"set-default-sort-order","sort-order-id":-1}`

func TestSortOrders(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	made := apply(t, base, join(addOrder(byID), orderIsLast, addOrder(byTS)))
	expect(t, made, "1", "default-sort-order-id")
	expect(t, made, `{"fields":[{"collation":"x","direction":"desc","null-order":"nulls-last","source-id":2,"transform":"day"}],"order-id":2}`, "sort-orders", 2)
	unchanged(t, made, join(addOrder(byID), orderIsLast))
	back := apply(t, made, join(`{"action":"add-sort-order","sort-order":{"fields":[]}}`, orderIsLast))
	expect(t, back, "0", "default-sort-order-id")
	expect(t, back, "", "sort-orders", 3)

	refused(t, base, orderIsLast, fault.Invalid, "Cannot set last added sort order: no sort order has been added")
	refused(t, base, `{"action":"set-default-sort-order","sort-order-id":5}`, fault.IllegalArgument, "unknown sort order: 5")
	refused(t, base, addOrder(`{"transform":"identity","source-id":9,"direction":"asc","null-order":"nulls-first"}`), fault.Invalid,
		"sort field with source id 9 not found in schema")
	refused(t, base, addOrder(`{"transform":"day","source-id":1,"direction":"asc","null-order":"nulls-first"}`), fault.Invalid,
		"invalid source type long for transform day")
	refused(t, base, addOrder(`{"transform":"day","source-id":1,"direction":"up","null-order":"nulls-first"}`), fault.Invalid, "Invalid sort order")
	refused(t, base, addOrder(""), fault.Invalid, "Invalid sort order")
}
