package tables

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"

	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
)

// Purgeable returns the files to delete when the table is dropped for good: exactly those that its metadata leads to,
// never a folder, since another table may live in it. Data and delete files come first, unless the property gc.enabled
// says that others may use them; then manifests, manifest lists, older metadata files, statistics, and the metadata file
// itself last, so that a purge that was broken off can be done again. Manifests that are gone already, or where the store
// may not look, are passed over; any other failure to read one is returned, because without it the data files cannot be
// found.
func (t *Table) Purgeable(ctx context.Context, files iceio.IO) (locations []string, err error) {
	defer func() { // iceberg-go takes for granted what a manifest looks like
		if value := recover(); value != nil {
			locations, err = nil, fmt.Errorf("table metadata %s: a manifest cannot be decoded: %v", t.MetadataLocation, value)
		}
	}()
	metadata, err := table.ParseMetadataBytes(t.Metadata)
	if err != nil {
		return nil, fmt.Errorf("table metadata %s: %w", t.MetadataLocation, err)
	}
	s, err := readState(t.Metadata)
	if err != nil {
		return nil, fmt.Errorf("table metadata %s: %w", t.MetadataLocation, err)
	}
	manifests, lists, err := manifestsOf(ctx, metadata, files)
	if err != nil {
		return nil, err
	}
	found := &pathSet{seen: map[string]bool{}}
	if properties.Collectable(s.properties) {
		for _, manifest := range manifests {
			if err := found.addEntries(ctx, manifest, files); err != nil {
				return nil, err
			}
		}
	}
	for _, manifest := range manifests {
		found.add(manifest.FilePath())
	}
	found.add(lists...)
	for previous := range metadata.PreviousFiles() {
		found.add(previous.MetadataFile)
	}
	for file := range metadata.Statistics() {
		found.add(file.StatisticsPath)
	}
	for file := range metadata.PartitionStatistics() {
		found.add(file.StatisticsPath)
	}
	found.add(t.MetadataLocation)
	return found.paths, nil
}

// manifestsOf returns the manifests of all snapshots, each once, and the manifest lists that name them.
func manifestsOf(
	ctx context.Context, metadata table.Metadata, files iceio.IO,
) (manifests []iceberg.ManifestFile, lists []string, err error) {
	seen := map[string]bool{}
	for _, snapshot := range metadata.Snapshots() {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		lists = append(lists, snapshot.ManifestList)
		some, err := snapshot.Manifests(files)
		if cannotBeRead(err) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("manifests of snapshot %d: %w", snapshot.SnapshotID, err)
		}
		for _, manifest := range some {
			if !seen[manifest.FilePath()] {
				seen[manifest.FilePath()] = true
				manifests = append(manifests, manifest)
			}
		}
	}
	return manifests, lists, nil
}

// cannotBeRead reports whether a manifest is gone, or where the catalog must not look. What it leads to is left alone.
func cannotBeRead(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, files.ErrLocation)
}

// pathSet collects paths in order, each once.
type pathSet struct {
	paths []string
	seen  map[string]bool
}

func (p *pathSet) add(paths ...string) {
	for _, path := range paths {
		if path != "" && !p.seen[path] {
			p.seen[path] = true
			p.paths = append(p.paths, path)
		}
	}
}

// addEntries adds the files that a manifest lists. Entries marked as deleted count: while their snapshot is there,
// their file is.
func (p *pathSet) addEntries(ctx context.Context, manifest iceberg.ManifestFile, files iceio.IO) error {
	for entry, err := range manifest.Entries(files, false) {
		if cannotBeRead(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("manifest %s: %w", manifest.FilePath(), err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p.add(entry.DataFile().FilePath())
	}
	return nil
}
