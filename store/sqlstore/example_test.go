package sqlstore_test

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/sqlstore"
)

// A backend that keeps its tables in the store's database creates one and records
// the answer in the same transaction. The request is sent twice and applied once.
func ExampleStore_Transact() {
	ctx := context.Background()
	db, err := sqlstore.OpenDB(ctx, ":memory:", sqlstore.Options{})
	if err != nil {
		panic(err)
	}
	defer db.Close()
	if err := sqlstore.Migrate(ctx, db); err != nil {
		panic(err)
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE tables (name TEXT PRIMARY KEY)"); err != nil {
		panic(err)
	}
	records, err := sqlstore.New(db, sqlstore.Options{})
	if err != nil {
		panic(err)
	}
	defer records.Close()

	createTable := func(ctx context.Context) (store.Outcome, store.Decision, error) {
		sqlstore.OnRollback(ctx, func() { fmt.Println("removing the metadata file again") })
		if _, err := sqlstore.DB(ctx, db).ExecContext(ctx, "INSERT OR IGNORE INTO tables VALUES ('orders')"); err != nil {
			return store.Outcome{}, store.Abort, err
		}
		return store.Outcome{Status: http.StatusOK, Kind: store.KindBody, Payload: []byte(`{"metadata":{}}`)}, store.Commit, nil
	}
	for range 2 {
		claim := store.Claim{
			Key:     "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
			Token:   store.NewToken(),
			Binding: store.Binding{Operation: "createTable ns"},
			Retain:  35 * time.Minute,
		}
		earlier, err := records.Transact(ctx, claim, createTable)
		switch {
		case err != nil:
			panic(err)
		case earlier == nil:
			fmt.Println("created")
		default:
			fmt.Println("replayed", earlier.Outcome.Status, string(earlier.Outcome.Payload))
		}
	}
	// Output:
	// created
	// replayed 200 {"metadata":{}}
}
