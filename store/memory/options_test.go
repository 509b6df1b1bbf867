package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onceberg/onceberg/store/memory"
)

func TestBadOptionsNameTheField(t *testing.T) {
	t.Parallel()
	for field, options := range map[string]memory.Options{
		"MaxEntries": {MaxEntries: -1},
		"MaxBytes":   {MaxBytes: -1},
		"WhenFull":   {WhenFull: "panic"},
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			s, err := memory.New(options)
			if err == nil || !strings.Contains(err.Error(), field) {
				t.Fatalf("New: %v, want an error that names %s", err, field)
			}
			if s != nil {
				t.Fatal("New returned a store next to an error")
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	s := open(t, memory.Options{})
	for i := range memory.DefaultMaxEntries + 1 {
		executeKey(t, s, fmt.Sprint("key ", i))
	}
	if s.Len() != memory.DefaultMaxEntries || s.Evictions() != 1 {
		t.Fatalf("%d records and %d evictions, want %d and 1", s.Len(), s.Evictions(), memory.DefaultMaxEntries)
	}
}
