package tables

import (
	"fmt"
	"slices"
	"time"

	"github.com/onceberg/onceberg/catalog/metadata/commits"
	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/files"
)

// Commit is a commit request that was read and holds nothing unknown. It can be applied more than once: when another
// commit won the race, it is applied again to the winner's result. It is safe for concurrent use.
type Commit struct {
	parsed *commits.Commit[*state]
}

// Result is what a commit made.
type Result struct {
	// Table is the table after the commit. When nothing changed it is the base, metadata location and all.
	Table *Table
	// Changed says that Table has a new metadata file, which is to be written.
	Changed bool
	// Expired are the metadata files that fell off the end of the table's log and that the table wants deleted, once the
	// commit is durable.
	Expired []string
}

// ParseCommit reads the body of an updateTable request, or of one table's part of commitTransaction. It returns a fault
// of kind Invalid for an unknown requirement or update and for a missing or malformed argument.
func ParseCommit(body []byte) (*Commit, error) {
	parsed, err := commits.Parse(language, body)
	if err != nil {
		return nil, err
	}
	commit := &Commit{parsed}
	if commit.Creates() {
		return commit, commit.checkCreate()
	}
	return commit, nil
}

// Creates tells whether the commit is for a table that must not exist yet.
func (c *Commit) Creates() bool {
	return slices.ContainsFunc(c.parsed.Requirements, func(r commits.Named[*state]) bool { return r.Name == assertCreate })
}

// checkCreate refuses requirements about a table beside the one that there is none.
func (c *Commit) checkCreate() error {
	var others []string
	for _, requirement := range c.parsed.Requirements {
		if requirement.Name != assertCreate {
			others = append(others, requirement.Name)
		}
	}
	if len(others) > 0 {
		return fault.New(fault.IllegalArgument, "Invalid create requirements: %v", others)
	}
	return nil
}

// Apply checks the requirements, in the order they were sent, against the base and applies the updates. The base is nil
// for a table that does not exist. Nothing is written: the result's file is the caller's to write before it moves the
// pointer.
//
// A failed requirement, and a snapshot built on an older state, are faults of kind CommitFailed; updates that cannot be
// applied are of kind Invalid or IllegalArgument. Any other error is trouble with the base itself.
func (c *Commit) Apply(base *Table, now time.Time, newUUID func() string) (*Result, error) {
	if base == nil && !c.Creates() {
		return nil, fault.New(fault.Invalid, "Cannot commit to a table that does not exist without %s", assertCreate)
	}
	s, err := c.start(base, now, newUUID)
	if err != nil {
		return nil, err
	}
	if err := c.parsed.Run(s); err != nil {
		return nil, err
	}
	if !s.commit.changed {
		return &Result{Table: base}, nil
	}
	return s.finish(base)
}

// start returns the state that the commit begins with.
func (c *Commit) start(base *Table, now time.Time, newUUID func() string) (*state, error) {
	commit := progress{now: now.UnixMilli(), newUUID: newUUID, added: map[int64]int64{}}
	if base == nil {
		version, err := c.initialVersion()
		if err != nil {
			return nil, err
		}
		commit.creating, commit.changed = true, true
		s := emptyState(version)
		s.commit = commit
		return s, nil
	}
	s, err := readState(base.Metadata)
	if err != nil {
		return nil, fmt.Errorf("table metadata %s: %w", base.MetadataLocation, err)
	}
	// Time does not run backwards for readers of a table, whatever the clocks of its writers say.
	commit.now = max(commit.now, s.lastUpdated, s.lastLogged())
	s.commit = commit
	return s, nil
}

// initialVersion returns the format version of a table that a commit creates: what the commit upgrades to, wherever in
// the list it says so.
func (c *Commit) initialVersion() (int, error) {
	for _, update := range c.parsed.Updates {
		if update.Name == "upgrade-format-version" {
			version := update.Args.Int32("format-version")
			return version, checkVersion(version)
		}
	}
	return defaultVersion, nil
}

// finish turns the state into the table's next version.
func (s *state) finish(base *Table) (*Result, error) {
	if err := s.complete(); err != nil {
		return nil, err
	}
	if err := s.settleSnapshotLog(); err != nil {
		return nil, err
	}
	previous, expired := "", []string(nil)
	if base != nil {
		previous = base.MetadataLocation
		var err error
		if expired, err = s.logMetadata(previous, s.lastUpdated); err != nil {
			return nil, err
		}
	}
	s.lastUpdated = max(s.commit.now, s.lastLogged())
	location, err := files.NextName(s.location, s.properties, previous, s.commit.newUUID())
	if err != nil {
		return nil, err
	}
	s.write()
	if err := s.verify(); err != nil {
		return nil, err
	}
	return &Result{Table: &Table{location, s.object.Text()}, Changed: true, Expired: expired}, nil
}
