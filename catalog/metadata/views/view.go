package views

import (
	"fmt"

	"github.com/apache/iceberg-go/view"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/properties"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
	"github.com/onceberg/onceberg/catalog/metadata/stored"
)

// View is one version of a view's metadata. It is a value: nothing changes it, and a commit makes a new one.
type View struct {
	// MetadataLocation is where the metadata file is, or is to be written.
	MetadataLocation string
	// Metadata is the JSON text: what the file holds (before any compression) and what is served, byte for byte.
	Metadata []byte
}

// Header is what a catalog needs to know of a view's metadata without reading all of it.
type Header struct {
	UUID string
	// Location is the view's base location, byte for byte as its creator gave it.
	Location   string
	Properties map[string]string
}

// Register takes over a metadata file that exists, with its whole history, as a view. The text is served as it is and no
// new file is written. It returns a fault of kind Invalid when the text is not view metadata that this catalog can read.
func Register(metadataLocation string, metadata []byte) (*View, error) {
	refuse := func(err error) error {
		return fault.New(fault.Invalid, "Invalid view metadata in %s: %w", metadataLocation, err)
	}
	if err := rawjson.Check(metadata); err != nil {
		return nil, refuse(err)
	}
	if _, err := view.ParseMetadataBytes(metadata); err != nil {
		return nil, refuse(err)
	}
	if _, err := readState(metadata); err != nil {
		return nil, refuse(err)
	}
	return &View{metadataLocation, metadata}, nil
}

// Header reads the view's head facts. The error says which member is malformed.
func (v *View) Header() (*Header, error) {
	metadata, err := rawjson.Split(v.Metadata)
	if err != nil {
		return nil, fmt.Errorf("view metadata %s: %w", v.MetadataLocation, err)
	}
	r := stored.NewReader(metadata)
	header := &Header{
		UUID:       r.String("view-uuid"),
		Location:   r.String("location"),
		Properties: properties.Map(r.Object("properties")),
	}
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("view metadata %s: %w", v.MetadataLocation, err)
	}
	return header, nil
}

// Purgeable returns the files to delete when the view is dropped for good: its metadata file, unless the property
// gc.enabled says that others may still use it.
func (v *View) Purgeable() ([]string, error) {
	s, err := readState(v.Metadata)
	if err != nil {
		return nil, fmt.Errorf("view metadata %s: %w", v.MetadataLocation, err)
	}
	if !properties.Collectable(s.properties) {
		return nil, nil
	}
	return []string{v.MetadataLocation}, nil
}
