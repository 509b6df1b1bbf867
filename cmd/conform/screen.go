package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/onceberg/onceberg/tests/conformance"
)

// painter colours a text by a result, or leaves it.
type painter func(r conformance.Result, text string) string

// screen shows a run while it goes on: as a table on a terminal, elsewhere by a line
// from time to time.
type screen struct {
	out, notes io.Writer
	live       bool
	paint      painter

	mu          sync.Mutex
	table       *matrix
	text        string // of the table
	lines       int    // that stand on the terminal
	done, total int
	last        string // what was played last
}

func newScreen(out, notes io.Writer) *screen {
	s := &screen{out: out, notes: notes, live: isTerminal(out), paint: plain, table: newMatrix(nil)}
	if s.live && os.Getenv("NO_COLOR") == "" {
		s.paint = coloured
	}
	return s
}

// isTerminal reports whether what is written is read by a person at once.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// show draws the table anew with one more result.
func (s *screen) show(r conformance.Result, done, total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done, s.total, s.last = done, total, r.Operation+"/"+r.Case
	if !s.live {
		return
	}
	s.table.add(r)
	s.text = s.table.text(s.paint) + fmt.Sprintf("\n%d of %d\n", done, total)
	s.erase()
	s.draw()
}

// say writes a line that stays, above the table.
func (s *screen) say(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	fmt.Fprintln(s.notes, line)
	s.draw()
}

// progress is how often it is said where there is no table.
const progress = 10 * time.Second

// tick says from time to time how far a run is, also while nothing gets done, until it
// is over.
func (s *screen) tick(over <-chan struct{}) {
	if s.live {
		return
	}
	ticker := time.NewTicker(progress)
	defer ticker.Stop()
	for passed := progress; ; passed += progress {
		select {
		case <-over:
			return
		case <-ticker.C:
		}
		s.mu.Lock()
		line := fmt.Sprintf("conform: %d of %d after %v, %s the last", s.done, s.total, passed, s.last)
		if s.done == 0 {
			line = fmt.Sprintf("conform: nothing yet after %v", passed)
		}
		s.mu.Unlock()
		s.say(line)
	}
}

func (s *screen) draw() {
	s.lines = strings.Count(s.text, "\n")
	_, _ = io.WriteString(s.out, s.text) // a terminal that is gone needs no table
}

// end takes the table away; the report shows it again.
func (s *screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
}

func (s *screen) erase() {
	if s.lines > 0 {
		fmt.Fprintf(s.out, "\x1b[%dA\x1b[J", s.lines)
	}
	s.lines = 0
}

func plain(_ conformance.Result, text string) string { return text }

func coloured(r conformance.Result, text string) string {
	colour := "2" // faint
	switch {
	case r.Breaks():
		colour = "31"
	case r.Verdict == conformance.Fail, r.Verdict == conformance.Unclear:
		colour = "33"
	case r.Verdict == conformance.Pass:
		colour = "32"
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}
