package catalog

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// What is kept is what was put last for that file, and never more than the limit;
// what was asked for last is the last to go.
func TestRenderings(t *testing.T) {
	t.Parallel()
	store := files.NewStore(nil)
	stamps := make([]files.Stamp, 2)
	for i, path := range []string{t.TempDir() + "/a", t.TempDir() + "/bb"} {
		if err := store.Write(t.Context(), path, make([]byte, i+1)); err != nil {
			t.Fatal(err)
		}
		var err error
		if stamps[i], err = store.Stat(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	room := make([]byte, mostRenderedTable+1) // all bodies are parts of it
	rapid.Check(t, func(t *rapid.T) {
		var kept renderings
		last := map[renderingKey]rendering{}
		key := func() renderingKey {
			location := fmt.Sprint("file:/t/", rapid.IntRange(0, 7).Draw(t, "location"))
			return renderingKey{location, rapid.SampledFrom([]tables.Mode{tables.All, tables.Refs}).Draw(t, "mode")}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				k, stamp := key(), rapid.SampledFrom(stamps).Draw(t, "stamp")
				size := rapid.SampledFrom([]int{0, 1, mostRenderedTable / 2, mostRenderedTable, mostRenderedTable + 1}).Draw(t, "size")
				kept.put(k, stamp, room[:size])
				last[k] = rendering{k, stamp, room[:size]}
				if found := kept.get(k, stamp); (found != nil) != (size <= mostRenderedTable) {
					t.Fatalf("%d bytes that were just put: found %t", size, found != nil)
				}
			},
			"get": func(t *rapid.T) {
				k, stamp := key(), rapid.SampledFrom(stamps).Draw(t, "stamp")
				found := kept.get(k, stamp)
				if put := last[k]; found != nil && (put.stamp != stamp || len(put.body) != len(found)) {
					t.Fatalf("%v: %d bytes that were not put last", k, len(found))
				}
			},
			"": func(t *rapid.T) {
				sum := 0
				for e := kept.order.Front(); e != nil; e = e.Next() {
					sum += len(e.Value.(*rendering).body)
				}
				if sum != kept.size || sum > mostRendered || kept.order.Len() != len(kept.byKey) {
					t.Fatalf("%d bytes counted as %d; %d listed, %d known", sum, kept.size, kept.order.Len(), len(kept.byKey))
				}
			},
		})
	})
	var kept renderings
	for i := range 5 {
		kept.put(renderingKey{location: fmt.Sprint(i)}, stamps[0], room[:mostRenderedTable])
		kept.get(renderingKey{location: "0"}, stamps[0])
	}
	if kept.get(renderingKey{location: "0"}, stamps[0]) == nil || kept.get(renderingKey{location: "1"}, stamps[0]) != nil {
		t.Error("what was asked for went before what was not")
	}
}
