package memory_test

import (
	"context"
	"fmt"
	"time"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// A key's first attempt acquires it; the retry is given the outcome.
func ExampleStore() {
	ctx := context.Background()
	records, err := memory.New(memory.Options{MaxEntries: 50_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer records.Close()

	for attempt := 1; attempt <= 2; attempt++ {
		claim := store.Claim{
			Key:    "0199f2e2-79b0-7cc3-98c4-dc0c0c07398f",
			Token:  store.NewToken(),
			Lease:  30 * time.Second,
			Retain: 35 * time.Minute,
		}
		reservation, err := records.Reserve(ctx, claim)
		if err != nil {
			fmt.Println(err)
			return
		}
		if !reservation.Acquired {
			fmt.Printf("attempt %d: replay %d\n", attempt, reservation.Existing.Outcome.Status)
			continue
		}
		fmt.Printf("attempt %d: execute\n", attempt)
		outcome := store.Outcome{Status: 204, Kind: store.KindBody}
		if err := records.Finalize(ctx, claim.Key, claim.Token, outcome, claim.Retain); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// attempt 1: execute
	// attempt 2: replay 204
}

// A full store that must not forget anything refuses new keys instead.
func ExampleOptions_refuse() {
	ctx := context.Background()
	records, err := memory.New(memory.Options{MaxEntries: 1, WhenFull: memory.Refuse})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer records.Close()

	for _, key := range []string{"first", "second"} {
		_, err := records.Reserve(ctx, store.Claim{
			Key: key, Token: store.NewToken(), Lease: time.Minute, Retain: time.Hour,
		})
		fmt.Println(key, err)
	}
	// Output:
	// first <nil>
	// second memory: reserve second: store: full
}
