package servers

import (
	"path/filepath"
	"testing"

	"github.com/onceberg/onceberg/internal/specwatch"
	"github.com/onceberg/onceberg/internal/testdb"
)

// form is a way to operate our server.
type form struct {
	name  string
	nodes int
	// settings are the databases; a fresh one at each call.
	settings func(*testing.T) []string
}

// Where the records of a form are.
type records func(*testing.T, func(*testing.T) string) []string

// forms are all that are documented: the records in memory, or in the catalog's
// database and its transactions, or in another database and therefore in two
// phases. One node cannot show what three can, and nodes share no memory.
func forms() []form {
	return []form{
		{"sqlite, in memory", 1, on(sqlite, inMemory)},
		{"sqlite, transactional", 1, on(sqlite, transactional)},
		{"sqlite, two-phase", 1, on(sqlite, twoPhase)},
		{"postgres, in memory", 1, on(postgres, inMemory)},
		{"postgres, transactional", 1, on(postgres, transactional)},
		{"postgres, two-phase", 1, on(postgres, twoPhase)},
		{"mariadb, transactional", 1, on(mariadb, transactional)},
		{"mariadb, two-phase", 1, on(mariadb, twoPhase)},
		{"postgres, transactional, three nodes", 3, on(postgres, transactional)},
		{"postgres, two-phase, three nodes", 3, on(postgres, twoPhase)},
		{"mariadb, transactional, three nodes", 3, on(mariadb, transactional)},
		{"mariadb, two-phase, three nodes", 3, on(mariadb, twoPhase)},
	}
}

func on(database func(*testing.T) string, where records) func(*testing.T) []string {
	return func(t *testing.T) []string {
		return append([]string{"--catalog.dsn", database(t)}, where(t, database)...)
	}
}

func sqlite(t *testing.T) string   { return "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") }
func postgres(t *testing.T) string { return testdb.Postgres(t).Database(t) }
func mariadb(t *testing.T) string  { return testdb.MariaDB(t).Database(t) }

func inMemory(*testing.T, func(*testing.T) string) []string {
	return []string{"--idempotency.store-type", "in-memory"}
}

func transactional(*testing.T, func(*testing.T) string) []string {
	return []string{"--idempotency.store-type", "sql"}
}

func twoPhase(t *testing.T, database func(*testing.T) string) []string {
	return []string{"--idempotency.store-type", "sql", "--idempotency.sql.dsn", database(t)}
}

// start starts all nodes of a form, with more settings, and returns the URL of
// them all. What the nodes are sent and answer is held against the specification.
func (f form) start(t *testing.T, more ...string) string {
	t.Helper()
	binary, err := buildServer()
	if err != nil {
		t.Fatal(err)
	}
	settings := append(f.settings(t),
		"--idempotency.enabled", "--auth.type", "tokens", "--auth.tokens-file", tokensFile(t),
		"--data-folder", t.TempDir(), "--catalog.warehouse", "file://"+t.TempDir(), "--log.level", "warn")
	settings = append(settings, more...)
	migrate(t, binary, settings)
	nodes := make([]string, f.nodes)
	for i := range nodes {
		nodes[i] = specwatch.Front(t, startNode(t, binary, settings))
	}
	if len(nodes) == 1 {
		return nodes[0]
	}
	return balance(t, nodes)
}
