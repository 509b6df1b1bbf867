package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/onceberg/onceberg/tests/conformance"
)

// painter colours a text by a result, or leaves it.
type painter func(r conformance.Result, text string) string

// screen shows a run while it goes on, on a terminal; elsewhere it shows nothing.
type screen struct {
	out   io.Writer
	live  bool
	paint painter
	table *matrix
	lines int // that stand on the terminal
}

func newScreen(out io.Writer) *screen {
	s := &screen{out: out, live: isTerminal(out), paint: plain, table: newMatrix(nil)}
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
	if !s.live {
		return
	}
	s.table.add(r)
	s.erase()
	text := s.table.text(s.paint) + fmt.Sprintf("\n%d of %d\n", done, total)
	s.lines = strings.Count(text, "\n")
	_, _ = io.WriteString(s.out, text) // a terminal that is gone needs no table
}

// end takes the table away; the report shows it again.
func (s *screen) end() { s.erase() }

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
