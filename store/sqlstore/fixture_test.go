package sqlstore_test

import (
	"context"
	"crypto/sha256"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/store"
)

// prompt is how soon a call ends with its context on the busiest machine. No timeout
// of a connection ends it as early.
const prompt = 20 * time.Second

// newClaim returns a claim on a fresh key, of which nothing runs out.
func newClaim() store.Claim {
	key := uuid.Must(uuid.NewV7()).String()
	return store.Claim{
		Key:   key,
		Token: store.NewToken(),
		Binding: store.Binding{
			Operation: "createTable ns",
			Principal: sha256.Sum256([]byte("alice")),
			Request:   sha256.Sum256([]byte(key)),
		},
		Lease:  time.Hour,
		Retain: time.Hour,
	}
}

// again returns the claim of another attempt at the same request.
func again(claim store.Claim) store.Claim {
	claim.Token = store.NewToken()
	return claim
}

func created() store.Outcome {
	return store.Outcome{
		Status:  http.StatusOK,
		Header:  http.Header{"ETag": {`"1"`}},
		Kind:    store.KindBody,
		Payload: []byte(`{"metadata-location":"s3://w/t/1.json"}`),
	}
}

// together runs n functions at once and waits for all.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	wg.Wait()
}

// eventually polls a condition until it holds.
func eventually(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			tb.Fatalf("waited in vain for %s", what)
		case <-tick.C:
		}
	}
}

// silentServer accepts connections and never answers.
func silentServer(tb testing.TB) (addr string) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	var mu sync.Mutex
	var conns []net.Conn
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns = append(conns, conn)
			mu.Unlock()
		}
	})
	tb.Cleanup(func() {
		listener.Close()
		wg.Wait()
		for _, conn := range conns {
			conn.Close()
		}
	})
	return listener.Addr().String()
}

// mustReserve acquires a key that must be free.
func mustReserve(tb testing.TB, s store.Store, claim store.Claim) {
	tb.Helper()
	got, err := s.Reserve(context.Background(), claim)
	if err != nil || !got.Acquired {
		tb.Fatalf("Reserve: %+v, error %v", got, err)
	}
}

// committing is a mutation without writes.
func committing(context.Context) (store.Outcome, store.Decision, error) {
	return created(), store.Commit, nil
}
