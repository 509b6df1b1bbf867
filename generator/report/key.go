package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onceberg/onceberg/generator/document"
	"github.com/onceberg/onceberg/generator/plan"
)

// row is an operation as a person reads it.
type row struct{ plan.Operation }

// keyState says how an operation stands to the key.
type keyState string

const (
	onOperation keyState = "operation" // the operation declares it
	onPath      keyState = "path"      // its path item declares it
	byAlso      keyState = "also"      // the configuration adds it
	byExcept    keyState = "except"    // the configuration takes it away
	undeclared  keyState = "none"      // a mutation that nobody declares it on
	isRead      keyState = "read"      // a read, which takes none
)

// Key tells how the operation stands to the key.
func (r row) Key() keyState {
	switch {
	case !r.Mutates():
		return isRead
	case r.Declares() && !r.Idempotent:
		return byExcept
	case r.DeclaredAt == plan.Also:
		return byAlso
	case !r.Declares():
		return undeclared
	}
	return r.place()
}

// place is where the document declares the key. A path item's parameter has one
// step less in its pointer than an operation's.
func (r row) place() keyState {
	if tokens := document.Pointer(r.DeclaredAt).Tokens(); len(tokens) == 4 {
		return onPath
	}
	return onOperation
}

// KeyColumn is the word for the key in the text form.
func (r row) KeyColumn() string {
	switch {
	case r.DeclaredAt == "":
		return "-"
	case r.DeclaredAt == plan.Also:
		return plan.Also
	}
	return string(r.place())
}

// OtherStatuses are declared statuses that are neither final nor released: of an
// operation that takes no key all are, of another a range of 4XX, which holds
// some of both, and "default".
func (r row) OtherStatuses() []string {
	var others []string
	for _, s := range r.Statuses {
		if !slices.Contains(r.FinalStatuses, s) && !slices.Contains(r.ReleasedStatuses, s) {
			others = append(others, s)
		}
	}
	return others
}

// Steps cuts the path where a narrow column may break it.
func (r row) Steps() []string {
	var steps []string
	for segment := range strings.SplitSeq(strings.TrimPrefix(r.Path, "/"), "/") {
		steps = append(steps, "/"+segment)
	}
	return steps
}

// Notes are the marks of an operation in the text form.
func (r row) Notes() string {
	var notes []string
	if r.Key() == byExcept {
		notes = append(notes, "except")
	}
	if r.Key() == isRead && r.DeclaredAt != "" {
		notes = append(notes, "key-ignored-on-reads")
	}
	if r.Key() == undeclared {
		notes = append(notes, "no-key")
	}
	if r.StateUnknown {
		notes = append(notes, "state-unknown")
	}
	if r.Deprecated {
		notes = append(notes, "deprecated")
	}
	if len(r.Secrets) > 0 {
		notes = append(notes, "secrets "+strings.Join(secretWords(r.Secrets), " "))
	}
	return strings.Join(notes, ", ")
}

func secretWords(secrets []plan.Secret) []string {
	var words []string
	for _, s := range secrets {
		if s.Entries {
			words = append(words, fmt.Sprintf("%s(entries)", s.Pointer))
			continue
		}
		words = append(words, s.Pointer)
	}
	return words
}
