package tables_test

import (
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

const (
	threeColumns = `{"type":"struct","schema-id":0,"fields":[
		{"id":1,"name":"id","type":"long","required":true},
		{"id":2,"name":"ts","type":"timestamp","required":false},
		{"id":5,"name":"more","type":"decimal(9, 2)","required":false,"from-a-newer-engine":true}]}`
	threeColumnsOtherwise = `{"schema-id":99,"identifier-field-ids":[],"fields":[
		{"name":"id","id":1,"required":true,"type":"long","doc":null},
		{"required":false,"id":2,"name":"ts","type":"timestamp"},
		{"id":5,"name":"more","from-a-newer-engine":true,"required":false,"type":"decimal(9,2)"}],"type":"struct"}`
)

func addSchema(schema string) string {
	return `{"action":"add-schema","schema":` + schema + `,"last-column-id":77}`
}

const currentIsLast = `{"action":"set-current-schema","schema-id":-1}`

func TestAddSchema(t *testing.T) {
	t.Parallel()
	made := apply(t, create(t, 2), join(addSchema(threeColumns), currentIsLast))
	expect(t, made, "1", "current-schema-id")
	expect(t, made, "5", "last-column-id")
	expect(t, made, "1", "schemas", 1, "schema-id")
	expect(t, made, "true", "schemas", 1, "fields", 2, "from-a-newer-engine")

	// An equal schema, however written, reuses the id; so does the one that was there first.
	unchanged(t, made, join(addSchema(threeColumnsOtherwise), currentIsLast))
	unchanged(t, made, `{"action":"Set-Current-SCHEMA","schema-id":1}`)
	back := apply(t, made, join(addSchema(`{"type":"struct","fields":[
		{"id":1,"name":"id","type":"long","required":true},{"id":2,"name":"ts","type":"timestamp","required":false}]}`), currentIsLast))
	expect(t, back, "0", "current-schema-id")
	expect(t, back, "5", "last-column-id")
	// A smaller schema takes no id back.
	smaller := apply(t, made, addSchema(`{"type":"struct","fields":[{"id":1,"name":"id","type":"long","required":true}]}`))
	expect(t, smaller, "5", "last-column-id")
}

func TestSchemasThatDifferOnlyInWhatIcebergGoLoses(t *testing.T) {
	t.Parallel()
	base := create(t, 3)
	field := func(more string) string {
		return addSchema(`{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","type":"long","required":true` + more + `}]}`)
	}
	made := apply(t, base, join(field(`,"initial-default":9007199254740993`), field(`,"initial-default":9007199254740992`),
		field(`,"from-a-newer-engine":1`), field(`,"from-a-newer-engine":2`)))
	expect(t, made, "4", "schemas", 4, "schema-id")
	expect(t, made, "9007199254740993", "schemas", 1, "fields", 0, "initial-default")
}

func TestSetCurrentSchemaRefused(t *testing.T) {
	t.Parallel()
	base := create(t, 2)
	refused(t, base, currentIsLast, fault.Invalid, "Cannot set last added schema: no schema has been added")
	refused(t, base, `{"action":"set-current-schema","schema-id":4}`, fault.IllegalArgument,
		"Cannot set current schema to unknown schema: 4")
	refused(t, base, addSchema(`{"type":"struct","fields":[{"id":3,"name":"v","type":"variant","required":false}]}`),
		fault.Invalid, "Invalid schema for v2:\n- Invalid type for v: variant is not supported until v3")
	refused(t, base, addSchema(`{"type":"struct","fields":[{"id":2147483540,"name":"_row_id","type":"long","required":false}]}`),
		fault.Invalid, "reserved")
}

func TestRemoveSchemas(t *testing.T) {
	t.Parallel()
	base := apply(t, create(t, 2), join(addSchema(threeColumns), currentIsLast))
	refused(t, base, `{"action":"remove-schemas","schema-ids":[0,1]}`, fault.IllegalArgument, "Cannot remove the current schema")
	made := apply(t, base, `{"action":"remove-schemas","schema-ids":[0,5]}`)
	expect(t, made, "1", "schemas", 0, "schema-id")
	expect(t, made, "", "schemas", 1)
	unchanged(t, made, `{"action":"remove-schemas","schema-ids":[0]}`)
	// Ids go on from the highest.
	again := apply(t, made, addSchema(`{"type":"struct","fields":[]}`))
	expect(t, again, "2", "schemas", 1, "schema-id")
	unchanged(t, made, `{"action":"remove-schemas","schema-ids":[]}`)
}

func TestVersion1KeepsItsSchemaTwice(t *testing.T) {
	t.Parallel()
	made := apply(t, create(t, 1), join(addSchema(threeColumns), currentIsLast))
	if member(t, made, "schema") != member(t, made, "schemas", 1) {
		t.Error("schema must be the current one")
	}
}

func TestCurrentSchemaMustFitSpecAndOrder(t *testing.T) {
	t.Parallel()
	base := build(t, `{"name":"t","schema":`+twoColumns+`,"partition-spec":{"fields":[
		{"name":"p","transform":"day","source-id":20}]}}`)
	without := join(addSchema(`{"type":"struct","fields":[{"id":1,"name":"id","type":"long","required":true}]}`), currentIsLast)
	refused(t, base, without, fault.Invalid, "Cannot find source column for partition field: 1000: p: day(2)")
	base = build(t, `{"name":"t","schema":`+twoColumns+`,"write-order":{"order-id":1,"fields":[
		{"transform":"day","source-id":20,"direction":"asc","null-order":"nulls-first"}]}}`)
	refused(t, base, without, fault.Invalid, "Invalid sort order: sort field with source id 2 not found in schema")
}
