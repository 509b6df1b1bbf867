package sqlstore

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun/schema"
)

// clock is the database's clock, written into statements as ?now: an expression
// that gives milliseconds since 1970. The skew is zero outside of tests, which
// move time by it.
type clock struct {
	expression string
	skew       atomic.Int64
}

var _ schema.QueryAppender = (*clock)(nil)

// AppendQuery writes the expression.
func (c *clock) AppendQuery(_ schema.QueryGen, b []byte) ([]byte, error) {
	skew := c.skew.Load()
	if skew == 0 {
		return append(b, c.expression...), nil
	}
	b = append(b, '(')
	b = append(b, c.expression...)
	b = append(b, " + "...)
	b = strconv.AppendInt(b, skew, 10)
	return append(b, ')'), nil
}

// instant turns a column into a time.
func instant(millis int64) time.Time { return time.UnixMilli(millis).UTC() }
