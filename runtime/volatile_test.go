package runtime_test

import (
	"testing"
	"time"

	"github.com/onceberg/onceberg/runtime"
)

// Where the records are gone with the process before this one, a retry of what
// that one executed must not be told its own effect as a refusal. A success is
// believed, and keys of this process and those that nobody retries any more are
// as they are elsewhere.
func TestKeysOfAnEarlierProcess(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		age      time.Duration
		volatile bool
		status   int
		want     int
	}{
		"its own effect":     {time.Minute, true, 409, 500},
		"a success":          {time.Minute, true, 200, 200},
		"made here":          {-time.Minute, true, 409, 409},
		"too old to retry":   {time.Hour, true, 409, 409},
		"records that last":  {time.Minute, false, 409, 409},
		"just too old":       {35*time.Minute + time.Second, true, 409, 409},
		"as old as they get": {35*time.Minute - time.Minute, true, 409, 500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler := fails(runtime.Errorf(test.status, "", "m"))
			if test.status < 300 {
				handler = answers(test.status, "{}")
			}
			d := newDesk(t, handler, func(cfg *runtime.Config) { cfg.Volatile = test.volatile })
			r := request{path: tableT, key: keyMadeAt(time.Now().Add(-test.age))}
			a := d.send(r)
			if a.Code != test.want {
				t.Errorf("got %d %s", a.Code, a.Body)
			}
			if test.want == 500 {
				a.fails(500, "CommitStateUnknownException")
				d.now(answers(200, "{}"))
				d.send(r).is(200, "{}").replayed(false)
				return
			}
			d.send(r).replayed(true)
		})
	}
}
