package store_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/store"
)

func drawBinding(t *rapid.T, label string) store.Binding {
	// Few values, so that equal ones are drawn.
	pick := rapid.IntRange(0, 2)
	return store.Binding{
		Operation: rapid.SampledFrom([]string{"", "dropTable ns.t", "dropTable ns.u"}).Draw(t, label+" operation"),
		Principal: sha256.Sum256([]byte{byte(pick.Draw(t, label+" principal"))}),
		Request:   sha256.Sum256([]byte{byte(pick.Draw(t, label+" request"))}),
	}
}

func TestSameBinding(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawBinding(t, "a"), drawBinding(t, "b")
		want := a.Principal == b.Principal && a.Request == b.Request
		if a.Same(b) != want || b.Same(a) != want {
			t.Fatalf("%v and %v: Same is %t and %t, want %t", a, b, a.Same(b), b.Same(a), want)
		}
		if !a.Same(a) {
			t.Fatalf("%v is not the same as itself", a)
		}
	})
}

// TestSameBindingSeesEveryBit changes one bit of either hash.
func TestSameBindingSeesEveryBit(t *testing.T) {
	t.Parallel()
	for i := range sha256.Size * 8 {
		var a, principal, request store.Binding
		principal.Principal[i/8] ^= 1 << (i % 8)
		request.Request[i/8] ^= 1 << (i % 8)
		if a.Same(principal) || a.Same(request) {
			t.Fatalf("bit %d makes no difference", i)
		}
	}
}

func TestTokensAreNew(t *testing.T) {
	t.Parallel()
	const draws = 10_000
	seen := make(map[store.Token]bool, draws)
	for range draws {
		token := store.NewToken()
		// 26 digits of base 32 hold 130 bits.
		if len(token) < 26 {
			t.Fatalf("token %q is too short for 128 bits", token)
		}
		if seen[token] {
			t.Fatalf("token %q was drawn twice", token)
		}
		seen[token] = true
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, kind := range []store.Kind{store.KindBody, store.KindZstd, store.KindSummary, store.KindOmitted} {
		if !kind.Valid() {
			t.Errorf("%q is not valid", kind)
		}
	}
	for _, kind := range []store.Kind{"", "Body", "body ", "gzip"} {
		if kind.Valid() {
			t.Errorf("%q is valid", kind)
		}
	}
}

func TestFinal(t *testing.T) {
	t.Parallel()
	var record store.Record
	if record.Final() {
		t.Error("a record without an outcome is final")
	}
	record.Outcome = &store.Outcome{}
	if !record.Final() {
		t.Error("a record with an outcome is not final")
	}
}

// TestZeroDecisionAborts keeps a forgotten decision from committing anything.
func TestZeroDecisionAborts(t *testing.T) {
	t.Parallel()
	var forgotten store.Decision
	if forgotten != store.Abort {
		t.Errorf("the zero decision is %d, want Abort", forgotten)
	}
}

func ExampleHash_String() {
	fmt.Println(store.Hash(sha256.Sum256([]byte("alice"))))
	// Output: 2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90
}

// Two requests are the same when their hashes are, however they are described.
func ExampleBinding_Same() {
	drop := store.Binding{
		Operation: "dropTable ns.orders",
		Principal: sha256.Sum256([]byte("alice")),
		Request:   sha256.Sum256([]byte("DELETE ns.orders")),
	}
	retry := drop
	retry.Operation = "dropTable, again"
	bob := drop
	bob.Principal = sha256.Sum256([]byte("bob"))
	fmt.Println(drop.Same(retry), drop.Same(bob))
	// Output: true false
}
