package emit

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var newOutput = content{"a.gen.go": ours + "new a", "b.gen.go": ours + "new b", "mine.go": "package mine", "mine.gen.go": "package mine"}

// Wherever a run is killed, Stale tells, and the next run leaves nothing of it.
func TestWriteAfterAKill(t *testing.T) {
	t.Parallel()
	killed := errors.New("killed")
	for moves := 0; ; moves++ {
		dir := fill(t, oldOutput)
		done, err := killedAfter(t, dir, moves, killed)
		if !errors.Is(err, killed) {
			if moves < 4 {
				t.Errorf("only %d moves", done)
			}
			return
		}
		stale, err := Stale(dir, newFiles)
		if err != nil || !slices.ContainsFunc(stale, func(f StaleFile) bool { return f.Why == Leftover }) {
			t.Errorf("after %d moves nothing tells of the run: %v, %v", moves, stale, err)
		}
		if err := Write(dir, newFiles); err != nil {
			t.Fatal(err)
		}
		sameContent(t, dir, newOutput)
	}
}

// killedAfter makes so many of a run's moves, and nothing of what follows.
func killedAfter(t *testing.T, dir string, moves int, killed error) (done int, err error) {
	t.Helper()
	stale, err := Stale(dir, newFiles)
	if err != nil {
		t.Fatal(err)
	}
	staged, err := stage(dir, newFiles, stale)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range staged.changes {
		err := c.move(func(from, to string) error {
			if done == moves {
				return killed
			}
			done++
			return os.Rename(from, to)
		})
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

func TestRestore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		given, want content
		leftovers   []string
	}{
		"moved away": {
			content{".a.gen.go.previous": ours + "a", ".gone.gen.go.previous": ours},
			content{"a.gen.go": ours + "a", "gone.gen.go": ours},
			[]string{".a.gen.go.previous", ".gone.gen.go.previous"},
		},
		"replaced": {
			content{".a.gen.go.previous": ours + "old", "a.gen.go": ours + "new"},
			content{"a.gen.go": ours + "new"},
			[]string{".a.gen.go.previous"},
		},
		"not yet moved": {
			content{".a.gen.go.1234567": ours + "new", ".b.gen.go.1": "", ".b.gen.go.2": headerStart[:9], "a.gen.go": ours + "old"},
			content{"a.gen.go": ours + "old"},
			[]string{".a.gen.go.1234567", ".b.gen.go.1", ".b.gen.go.2"},
		},
		"not ours": {
			content{
				".a.gen.go.previous": "package mine", ".a.gen.go.12": "package mine", ".c.gen.go.12": "", ".a.gen.go.bak": ours,
				".a.gen.go.12x": ours, "a.gen.go.12": ours, ".a.go.previous": ours, ".a.gen.go": ours,
			},
			content{
				".a.gen.go.previous": "package mine", ".a.gen.go.12": "package mine", ".c.gen.go.12": "", ".a.gen.go.bak": ours,
				".a.gen.go.12x": ours, "a.gen.go.12": ours, ".a.go.previous": ours, ".a.gen.go": ours,
			},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := fill(t, c.given)
			stale, err := Stale(dir, newFiles)
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, f := range stale {
				if f.Why == Leftover {
					left = append(left, f.Name)
				}
			}
			if diff := cmp.Diff(c.leftovers, left); diff != "" {
				t.Errorf("leftovers (-want +got)\n%s", diff)
			}
			sameContent(t, dir, c.given)
			if err := restore(dir, newFiles); err != nil {
				t.Fatal(err)
			}
			sameContent(t, dir, c.want)
		})
	}
}

// A folder of the name of a leftover is none.
func TestRestoreLeavesFolders(t *testing.T) {
	t.Parallel()
	dir := fill(t, nil)
	folder := filepath.Join(dir, ".a.gen.go.1")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, newFiles); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
}

// Runs at the same time do not take each other's files for leftovers.
func TestWriteAtTheSameTime(t *testing.T) {
	t.Parallel()
	dir := fill(t, oldOutput)
	var runs sync.WaitGroup
	for range 8 {
		runs.Go(func() {
			for range 10 {
				if err := Write(dir, newFiles); err != nil {
					t.Error(err)
				}
			}
		})
	}
	runs.Wait()
	sameContent(t, dir, newOutput)
}
