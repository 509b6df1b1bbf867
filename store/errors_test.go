package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/store"
)

// TestSentinelsStandApart makes sure that no sentinel matches another, bare or
// wrapped: a caller's decision to execute again hangs on which one it is.
func TestSentinelsStandApart(t *testing.T) {
	t.Parallel()
	sentinels := []error{
		store.ErrNotFound, store.ErrLeaseLost, store.ErrFull,
		store.ErrCorrupt, store.ErrUnknownOutcome, store.ErrClosed,
	}
	for i, a := range sentinels {
		if !strings.HasPrefix(a.Error(), "store: ") {
			t.Errorf("%q does not say where it comes from", a)
		}
		for j, b := range sentinels {
			if wrapped := fmt.Errorf("sqlstore: load: %w", a); errors.Is(wrapped, b) != (i == j) {
				t.Errorf("%q matches %q: %t", a, b, i != j)
			}
		}
	}
}
