package fault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
)

func TestKindsOnTheWire(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind   fault.Kind
		status int
		name   string
	}{
		{fault.Invalid, 400, "BadRequestException"},
		{fault.IllegalArgument, 400, "IllegalArgumentException"},
		{fault.CommitFailed, 409, "CommitFailedException"},
		{fault.NotFound, 404, "NotFoundException"},
		{fault.Unsupported, 406, "UnsupportedOperationException"},
		{fault.Unavailable, 503, "ServiceUnavailableException"},
		{fault.Denied, 500, "InternalServerException"},
	} {
		if c.kind.Status() != c.status || c.kind.Type() != c.name {
			t.Errorf("kind %d: %d %s, want %d %s", c.kind, c.kind.Status(), c.kind.Type(), c.status, c.name)
		}
	}
}

func TestErrorsAreFoundThroughWrapping(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("commit: %w", fault.New(fault.NotFound, "no file %s: %w", "f", fs.ErrNotExist))
	if !fault.Is(err, fault.NotFound) || fault.Is(err, fault.Invalid) {
		t.Error("the kind must be found through wrapping")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("the cause must be found")
	}
	hidden := fault.Because(fs.ErrNotExist, fault.Unavailable, "no file %s", "f")
	if !fault.Is(hidden, fault.Unavailable) || !errors.Is(hidden, fs.ErrNotExist) || hidden.Error() != "no file f" {
		t.Errorf("the cause is for the log: %v", hidden)
	}
	if fault.Is(fs.ErrNotExist, fault.NotFound) {
		t.Error("an error that is no fault has no kind")
	}
}
