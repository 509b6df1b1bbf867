package files_test

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"strings"
	"testing"

	iceio "github.com/apache/iceberg-go/io"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/files"
)

// failing is an object store that is there and does not do what it is asked.
type failing struct {
	*iceio.MemFS
	open, write error
}

func (f failing) Open(string) (iceio.File, error) { return nil, f.open }
func (f failing) WriteFile(string, []byte) error  { return f.write }

// coded is an error as S3's client has them.
type coded string

func (c coded) Error() string     { return "AKIA-SECRET: " + string(c) }
func (c coded) ErrorCode() string { return string(c) }

var failures = map[string]failing{
	"unreached":  {open: errors.New("dial AKIA-SECRET@10.0.0.1: refused")},
	"denied":     {open: fs.ErrNotExist, write: coded("AccessDenied")},
	"forbidden":  {open: coded("Forbidden")},
	"unowned":    {open: &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}},
	"bucketless": {open: fs.ErrNotExist, write: coded("NoSuchBucket")},
	"nameless":   {open: &fs.PathError{Op: "open", Path: "x", Err: fs.ErrInvalid}},
}

// Storage that fails is nobody's fault and may work again; want of rights is the
// server's; a place that does not exist is the fault of who named it. None tells the client what storage says.
func TestStorageFails(t *testing.T) {
	t.Parallel()
	for scheme, f := range failures {
		iceio.Register(scheme, func(context.Context, *url.URL, map[string]string) (iceio.IO, error) { return f, nil })
		t.Cleanup(func() { iceio.Unregister(scheme) })
	}
	store := files.NewStore(nil)
	for scheme, want := range map[string]fault.Kind{
		"unreached": fault.Unavailable, "denied": fault.Denied, "forbidden": fault.Denied, "unowned": fault.Denied,
		"bucketless": fault.Invalid, "nameless": fault.Invalid,
	} {
		location := scheme + "://bucket/t/x.metadata.json"
		err := store.Write(t.Context(), location, []byte(text))
		if !fault.Is(err, want) || !strings.Contains(err.Error(), location) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", scheme, err)
		}
		if cause := errors.Unwrap(err); cause == nil || !strings.Contains(cause.Error(), location) {
			t.Errorf("%s: the log is not told why: %v", scheme, cause)
		}
	}
	if _, err := store.Read(t.Context(), "unreached://bucket/t/x"); !fault.Is(err, fault.Unavailable) || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("reading: %v", err)
	}
	for _, scheme := range []string{"forbidden", "unowned"} {
		if _, err := store.Read(t.Context(), scheme+"://bucket/t/x"); !fault.Is(err, fault.Denied) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("reading what is %s: %v", scheme, err)
		}
	}
	if _, err := store.Read(t.Context(), "denied://bucket/t/x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("reading what is not there: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := store.Write(ended, "unreached://bucket/t/x", nil); !errors.Is(err, context.Canceled) || fault.Is(err, fault.Unavailable) {
		t.Errorf("after the end: %v", err)
	}
}
