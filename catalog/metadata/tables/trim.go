package tables

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// Mode says which snapshots of a table a client wants to see.
type Mode string

// The modes of loadTable's query parameter "snapshots".
const (
	// All shows every snapshot.
	All Mode = "all"
	// Refs shows those that a branch or tag points to.
	Refs Mode = "refs"
)

// ParseMode reads the query parameter. The empty text is All; anything but a mode is a fault of kind IllegalArgument.
func ParseMode(text string) (Mode, error) {
	switch mode := Mode(text); mode {
	case "", All:
		return All, nil
	case Refs:
		return Refs, nil
	}
	return "", fault.New(fault.IllegalArgument, "Invalid snapshot mode: %s", text)
}

// Shown returns the metadata's text as a client sees it in a mode: the text itself, or with the snapshots that no ref
// points to left out. The snapshot log and everything else stay whole. It makes one pass over the text and decodes
// nothing but ids.
func (t *Table) Shown(mode Mode) ([]byte, error) {
	if mode != Refs {
		return t.Metadata, nil
	}
	metadata, err := rawjson.Split(t.Metadata)
	if err != nil {
		return nil, fmt.Errorf("table metadata %s: %w", t.MetadataLocation, err)
	}
	r := stored.NewReader(metadata)
	snapshots := r.List64("snapshots", "snapshot-id")
	named := map[int64]bool{stored.ReadOr(r, "current-snapshot-id", rawjson.AsInt64, noSnapshot): true}
	refs := r.Object("refs")
	for _, name := range refs.Keys() {
		id, err := rawjson.AsInt64(rawjson.Member(refs.Get(name), "snapshot-id"))
		if err != nil {
			r.Fail("refs", fmt.Errorf("%s: snapshot-id: %w", name, err))
		}
		named[id] = true
	}
	if r.Err() != nil {
		return nil, fmt.Errorf("table metadata %s: %w", t.MetadataLocation, r.Err())
	}
	if !snapshots.Remove(func(id int64) bool { return !named[id] }) {
		return t.Metadata, nil
	}
	metadata.Set("snapshots", snapshots.Text())
	return metadata.Text(), nil
}

// ETag returns the entity tag of a table as a client sees it in a mode, in the quotes that HTTP wants. It depends on
// the metadata location and the mode and on nothing else, so that a table registered under two names has one.
func ETag(metadataLocation string, mode Mode) string {
	sum := sha256.Sum256([]byte(string(mode) + "\n" + metadataLocation))
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}
