package views

import (
	"fmt"
	"time"

	"github.com/apache/iceberg-go/view"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/files"
)

// Commit is a commit request that was read and holds nothing unknown. It can be applied more than once and is safe for
// concurrent use.
type Commit struct {
	parsed *commits.Commit[*state]
}

// Result is what a commit made.
type Result struct {
	// View is the view after the commit. When nothing changed it is the base, metadata location and all.
	View *View
	// Changed says that View has a new metadata file, which is to be written.
	Changed bool
}

// ParseCommit reads the body of a replaceView request. It returns a fault of kind Invalid for an unknown requirement or
// update and for a missing or malformed argument.
func ParseCommit(body []byte) (*Commit, error) {
	parsed, err := commits.Parse(language, body)
	if err != nil {
		return nil, err
	}
	return &Commit{parsed}, nil
}

// Apply checks the requirements, in the order they were sent, against the base and applies the updates. Nothing is
// written: the result's file is the caller's to write before it moves the pointer.
//
// A failed requirement is a fault of kind CommitFailed; updates that cannot be applied are of kind Invalid or
// IllegalArgument. Any other error is trouble with the base itself.
func (c *Commit) Apply(base *View, now time.Time, newUUID func() string) (*Result, error) {
	s, err := readState(base.Metadata)
	if err != nil {
		return nil, fmt.Errorf("view metadata %s: %w", base.MetadataLocation, err)
	}
	s.commit.now, s.commit.added = now.UnixMilli(), map[int]int64{}
	if err := c.parsed.Run(s); err != nil {
		return nil, err
	}
	if !s.commit.changed {
		return &Result{View: base}, nil
	}
	made, err := s.finish(base.MetadataLocation, newUUID())
	if err != nil {
		return nil, err
	}
	return &Result{View: made, Changed: true}, nil
}

// finish turns the state into the view's next version.
func (s *state) finish(previous, uuid string) (*View, error) {
	if err := s.settle(); err != nil {
		return nil, err
	}
	location, err := files.NextName(s.location, s.properties, previous, uuid)
	if err != nil {
		return nil, err
	}
	s.write()
	text := s.object.Text()
	if _, err := view.ParseMetadataBytes(text); err != nil {
		return nil, fault.New(fault.Invalid, "Invalid view metadata: %w", err)
	}
	return &View{location, text}, nil
}
