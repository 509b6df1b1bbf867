package chaos

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// summary is what came of a run.
type summary struct {
	Form     form
	Seed     uint64
	Duration time.Duration

	Mutations, Acknowledged, Refused, Unknown int
	Attempts, Lost, Duplicates                int64
	Kills, Restarts, Conflicts                int64
	Repeated, Unrecorded, Orphans             int
	Violations                                []violation
}

func (s *summary) String() string {
	return fmt.Sprintf("%s: seed %d, %v: %d mutations (%d acknowledged, %d refused, %d unknown), %d attempts, "+
		"%d answers lost, %d duplicates, %d kills, %d database restarts, %d conflicts, %d repeated, %d unrecorded, %d orphans, %d violations",
		s.Form, s.Seed, s.Duration, s.Mutations, s.Acknowledged, s.Refused, s.Unknown, s.Attempts,
		s.Lost, s.Duplicates, s.Kills, s.Restarts, s.Conflicts, s.Repeated, s.Unrecorded, s.Orphans, len(s.Violations))
}

// count counts violations of some kinds.
func (s *summary) count(kinds ...kind) (n int) {
	for _, v := range s.Violations {
		for _, k := range kinds {
			if v.Kind == k {
				n++
			}
		}
	}
	return n
}

const shownViolations = 20

// holds fails the test for each violation.
func (s *summary) holds(t *testing.T) {
	t.Helper()
	for i, v := range s.Violations {
		if i == shownViolations {
			t.Errorf("%s, seed %d: and %d more", s.Form, s.Seed, len(s.Violations)-i)
			return
		}
		t.Errorf("%s, seed %d: %v", s.Form, s.Seed, v)
	}
	if s.Acknowledged == 0 {
		t.Errorf("%s, seed %d: nothing was acknowledged", s.Form, s.Seed)
	}
}

const reportHead = `| form | seed | duration | mutations | attempts | answers lost | duplicates | kills | database restarts | conflicts | unknown | lost | doubled | falsely failed | other violations |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
`

// report writes summaries as a table in Markdown.
type report struct {
	mu   sync.Mutex
	rows []string
}

func (r *report) add(s *summary) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lostOnes, doubledOnes, falseOnes := s.count(lost), s.count(doubled, torn), s.count(falselyFailed)
	r.rows = append(r.rows, fmt.Sprintf("| %s | %d | %v | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n",
		s.Form, s.Seed, s.Duration, s.Mutations, s.Attempts, s.Lost, s.Duplicates, s.Kills, s.Restarts, s.Conflicts, s.Unknown,
		lostOnes, doubledOnes, falseOnes, len(s.Violations)-lostOnes-doubledOnes-falseOnes))
}

func (r *report) write(path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(reportHead+strings.Join(r.rows, "")), 0o644)
}
