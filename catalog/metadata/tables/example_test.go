package tables_test

import (
	"fmt"
	"time"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// A catalog creates a table, applies a commit to it, and tells a client that came too late to try again.
func ExampleCommit_Apply() {
	ids := uuids()
	now := time.UnixMilli(1_700_000_000_000)
	request, err := tables.ParseCreate([]byte(`{"name":"events","schema":{"type":"struct","schema-id":0,"fields":[
		{"id":0,"name":"id","type":"long","required":true}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := request.Build("file:/warehouse/ns/events", now, ids)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.MetadataLocation)

	commit, err := tables.ParseCommit([]byte(`{
		"requirements":[{"type":"assert-current-schema-id","current-schema-id":0}],
		"updates":[
			{"action":"add-schema","schema":{"type":"struct","fields":[
				{"id":1,"name":"id","type":"long","required":true},
				{"id":2,"name":"at","type":"timestamptz","required":false}]}},
			{"action":"set-current-schema","schema-id":-1}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := commit.Apply(table, now, ids)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Table.MetadataLocation)

	_, err = commit.Apply(result.Table, now, ids)
	fmt.Println(fault.Is(err, fault.CommitFailed), err)
	// Output:
	// file:/warehouse/ns/events/metadata/00000-00000000-0000-4000-8000-000000000002.metadata.json
	// file:/warehouse/ns/events/metadata/00001-00000000-0000-4000-8000-000000000003.metadata.json
	// true Requirement failed: current schema changed: expected id 0 != 1
}
