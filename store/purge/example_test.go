package purge_test

import (
	"context"
	"fmt"
	"time"

	"github.com/onceberg/onceberg/store/memory"
	"github.com/onceberg/onceberg/store/purge"
)

// A server runs the purger beside its requests and stops it with its context.
func Example() {
	records, err := memory.New(memory.Options{})
	if err != nil {
		panic(err)
	}
	defer records.Close()
	purger, err := purge.New(records, 5*time.Minute, purge.Options{
		OnPurged: func(n int) { fmt.Println("purged", n) }, // a counter's Add
	})
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		purger.Run(ctx)
	}()
	// … serve …
	stop()
	<-done
	// Output:
}
