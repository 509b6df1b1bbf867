package runtime_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/onceberg/onceberg/store"
	"github.com/onceberg/onceberg/store/memory"
)

// errDown is what a store out of reach answers.
var errDown = errors.New("connection refused")

// fault decides whether the n-th call of a method fails, counted from 1, before
// it reaches the store or, when after is true, once it has.
type fault func(n int64) (err error, after bool)

func always(err error) fault { return func(int64) (error, bool) { return err, false } }

// first lets the first n calls fail.
func first(n int64, err error, after bool) fault {
	return func(call int64) (error, bool) {
		if call <= n {
			return err, after
		}
		return nil, false
	}
}

// faultyStore is a store that fails as it is told. The fields are set before its
// use, except where a test serves one request at a time.
type faultyStore struct {
	store.Store
	reserve, load, finalize, release, renew fault
	// reserved may change what Reserve answers.
	reserved func(*store.Reservation)

	reserves, loads, finalizes, releases, renews atomic.Int64
}

func inject(f fault, calls *atomic.Int64, call func() error) error {
	n := calls.Add(1)
	if f == nil {
		return call()
	}
	err, after := f(n)
	if err != nil && !after {
		return err
	}
	if failed := call(); failed != nil {
		return failed
	}
	return err
}

func (s *faultyStore) Reserve(ctx context.Context, claim store.Claim) (r store.Reservation, err error) {
	err = inject(s.reserve, &s.reserves, func() (err error) {
		r, err = s.Store.Reserve(ctx, claim)
		return err
	})
	if s.reserved != nil {
		s.reserved(&r)
	}
	return r, err
}

func (s *faultyStore) Load(ctx context.Context, key string) (r *store.Record, err error) {
	err = inject(s.load, &s.loads, func() (err error) {
		r, err = s.Store.Load(ctx, key)
		return err
	})
	return r, err
}

func (s *faultyStore) Finalize(ctx context.Context, key string, token store.Token, o store.Outcome, retain time.Duration) error {
	return inject(s.finalize, &s.finalizes, func() error { return s.Store.Finalize(ctx, key, token, o, retain) })
}

func (s *faultyStore) Release(ctx context.Context, key string, token store.Token) error {
	return inject(s.release, &s.releases, func() error { return s.Store.Release(ctx, key, token) })
}

func (s *faultyStore) Renew(ctx context.Context, key string, token store.Token, lease time.Duration) error {
	return inject(s.renew, &s.renews, func() error { return s.Store.Renew(ctx, key, token, lease) })
}

// rawExchange sends bytes over a connection and returns head and body of the
// answer as they came.
func rawExchange(t *testing.T, server *httptest.Server, text string) (head, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := conn.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ = strings.Cut(string(all), "\r\n\r\n")
	return head, body
}

// slowStore takes its time to reserve.
type slowStore struct {
	store.Store
	delay atomic.Int64
}

func (s *slowStore) Reserve(ctx context.Context, claim store.Claim) (store.Reservation, error) {
	time.Sleep(time.Duration(s.delay.Load())) //nolint:forbidigo // the bubble's time, not ours
	return s.Store.Reserve(ctx, claim)
}

func newSkewedMemory(t *testing.T, skew time.Duration) *memory.Store {
	t.Helper()
	s, err := memory.New(memory.Options{Clock: func() time.Time { return time.Now().Add(skew) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// keyMadeAt makes a key that carries a time.
func keyMadeAt(made time.Time) string {
	key := uuid.Must(uuid.NewV7())
	millis := made.UnixMilli()
	for i := range 6 {
		key[i] = byte(millis >> (8 * (5 - i)))
	}
	return key.String()
}
