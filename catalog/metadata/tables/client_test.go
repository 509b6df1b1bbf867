package tables_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// shelf is the smallest catalog: one table, a pointer, and this engine. iceberg-go's client writes through it.
type shelf struct {
	mu      sync.Mutex
	store   *files.Store
	current *tables.Table
	commits int
}

func newShelf(t *testing.T, version string) *shelf {
	t.Helper()
	request, err := tables.ParseCreate([]byte(`{"name":"t","schema":` + twoColumns + `,"properties":{"format-version":"` + version +
		`","commit.retry.num-retries":"20","commit.retry.min-wait-ms":"1","commit.retry.max-wait-ms":"50"}}`))
	if err != nil {
		t.Fatal(err)
	}
	made, err := request.Build("file:"+t.TempDir(), time.Now(), uuid.NewString)
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{store: files.NewStore(nil), current: made}
	if err := s.store.Write(t.Context(), made.MetadataLocation, made.Metadata); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shelf) fs(context.Context) (iceio.IO, error) { return iceio.LocalFS{}, nil }

// LoadTable implements table.CatalogIO.
func (s *shelf) LoadTable(ctx context.Context, id table.Identifier) (*table.Table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return table.NewFromLocation(ctx, id, s.current.MetadataLocation, s.fs, s)
}

// CommitTable implements table.CatalogIO: what the client would send goes through JSON to the engine.
func (s *shelf) CommitTable(
	ctx context.Context, _ table.Identifier, requirements []table.Requirement, updates []table.Update,
) (table.Metadata, string, error) {
	body, err := json.Marshal(map[string]any{"requirements": requirements, "updates": updates})
	if err != nil {
		return nil, "", err
	}
	commit, err := tables.ParseCommit(body)
	if err != nil {
		return nil, "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	result, err := commit.Apply(s.current, time.Now(), uuid.NewString)
	if fault.Is(err, fault.CommitFailed) {
		return nil, "", table.ErrCommitFailed
	}
	if err != nil {
		return nil, "", err
	}
	if result.Changed {
		if err := s.store.Write(ctx, result.Table.MetadataLocation, result.Table.Metadata); err != nil {
			return nil, "", err
		}
		s.current, s.commits = result.Table, s.commits+1
	}
	metadata, err := table.ParseMetadataBytes(s.current.Metadata)
	return metadata, s.current.MetadataLocation, err
}

func threeRows(t *testing.T) arrow.Table {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}}, nil)
	rows, err := array.TableFromJSON(memory.DefaultAllocator, schema, []string{`[{"id":1},{"id":2},{"id":3}]`})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// A real writer creates snapshots, evolves schema, spec, order and version, expires snapshots, and reads it all back.
func TestARealClientWritesThroughTheEngine(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1", "2", "3"} {
		t.Run("v"+version, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t, version)
			ctx := t.Context()
			loaded, err := s.LoadTable(ctx, table.Identifier{"ns", "t"})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if loaded, err = loaded.AppendTable(ctx, threeRows(t), 10, iceberg.Properties{"note": "n"}); err != nil {
					t.Fatal(err)
				}
			}
			loaded = evolve(t, loaded)
			if loaded, err = loaded.AppendTable(ctx, threeRows(t), 10, nil); err != nil {
				t.Fatal(err)
			}
			read, err := loaded.Scan().ToArrowTable(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer read.Release()
			if read.NumRows() != 12 {
				t.Errorf("%d rows were read back", read.NumRows())
			}
			expire := loaded.NewTransaction()
			if err := expire.ExpireSnapshots(table.WithOlderThan(0), table.WithRetainLast(1)); err != nil {
				t.Fatal(err)
			}
			if loaded, err = expire.Commit(ctx); err != nil {
				t.Fatal(err)
			}
			if n := len(loaded.Metadata().Snapshots()); n != 1 {
				t.Errorf("%d snapshots are left", n)
			}
			if _, err := tables.Register("x", s.current.Metadata); err != nil {
				t.Error(err)
			}
		})
	}
}

func evolve(t *testing.T, loaded *table.Table) *table.Table {
	t.Helper()
	change := loaded.NewTransaction()
	if err := change.UpdateSchema(true, false).AddColumn([]string{"more"}, iceberg.StringType{}, "added", false, nil).Commit(); err != nil {
		t.Fatal(err)
	}
	if err := change.SetProperties(iceberg.Properties{"a": "b"}); err != nil {
		t.Fatal(err)
	}
	order, err := table.NewSortOrder(1, []table.SortField{{
		SourceIDs: []int{1}, Transform: iceberg.IdentityTransform{}, Direction: table.SortASC, NullOrder: table.NullsFirst,
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := change.ReplaceSortOrder(order); err != nil {
		t.Fatal(err)
	}
	if err := change.UpdateSpec(true).AddField("id", iceberg.BucketTransform{NumBuckets: 4}, "id_bucket").Commit(); err != nil {
		t.Fatal(err)
	}
	changed, err := change.Commit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// Writers that race lose no row: the loser's 409 makes it rebuild and try again.
func TestRealClientsRace(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "2")
	const writers = 4
	failures := make(chan error)
	for range writers {
		go func() {
			loaded, err := s.LoadTable(t.Context(), table.Identifier{"ns", "t"})
			if err == nil {
				_, err = loaded.AppendTable(t.Context(), threeRows(t), 10, nil)
			}
			failures <- err
		}()
	}
	for range writers {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
	loaded, err := s.LoadTable(t.Context(), table.Identifier{"ns", "t"})
	if err != nil {
		t.Fatal(err)
	}
	read, err := loaded.Scan().ToArrowTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer read.Release()
	if read.NumRows() != 3*writers || s.commits != writers {
		t.Errorf("%d rows by %d commits", read.NumRows(), s.commits)
	}
}

// What a purge of a real table lists is every file under its folder, and nothing else.
func TestPurgeOfARealTable(t *testing.T) {
	t.Parallel()
	s := newShelf(t, "2")
	loaded, err := s.LoadTable(t.Context(), table.Identifier{"ns", "t"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if loaded, err = loaded.AppendTable(t.Context(), threeRows(t), 10, nil); err != nil {
			t.Fatal(err)
		}
	}
	all := s.store.IO(t.Context())
	purgeable, err := s.current.Purgeable(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.store.Delete(t.Context(), purgeable...); err != nil {
		t.Fatal(err)
	}
	if left := filesUnder(t, strings.TrimPrefix(loaded.Location(), "file:")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
