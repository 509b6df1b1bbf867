package commits

import (
	"strings"

	"github.com/onceberg/onceberg/catalog/metadata/fault"
	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// Step is what one requirement or update does to the state S of a table or view.
type Step[S any] func(state S) error

// Reader reads a step's arguments. It may return any step when an argument is in error.
type Reader[S any] func(args *Args) Step[S]

// Language is what one kind of object understands.
type Language[S any] struct {
	// Noun is "table" or "view".
	Noun string
	// Requirements and Updates are by their names in lower case.
	Requirements, Updates map[string]Reader[S]
}

// Commit is a body that was read in full.
type Commit[S any] struct {
	// Requirements and Updates are in the order they were sent, which is the order in which they count.
	Requirements, Updates []Named[S]
}

// Named is a step with its name in lower case and its arguments.
type Named[S any] struct {
	Name string
	Args *Args
	Do   Step[S]
}

// Run checks the requirements and applies the updates, each in the order they were sent, up to the first error.
func (c *Commit[S]) Run(state S) error {
	for _, steps := range [][]Named[S]{c.Requirements, c.Updates} {
		for _, step := range steps {
			if err := step.Do(state); err != nil {
				return err
			}
		}
	}
	return nil
}

// Parse reads a commit body. It returns a fault of kind Invalid when the body is not JSON, names something the language
// does not know, or lacks an argument. Names are compared without case. A missing list is an empty one.
func Parse[S any](language *Language[S], body []byte) (*Commit[S], error) {
	request, err := rawjson.Parse(body)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid commit request: %w", err)
	}
	requirements, err := parseList(request, "requirements", "type", func(name string) (Reader[S], error) {
		if reader, ok := language.Requirements[name]; ok {
			return reader, nil
		}
		return nil, fault.New(fault.Invalid, "Unknown requirement type for a %s: %s", language.Noun, name)
	})
	if err != nil {
		return nil, err
	}
	updates, err := parseList(request, "updates", "action", func(name string) (Reader[S], error) {
		if reader, ok := language.Updates[name]; ok {
			return reader, nil
		}
		return nil, fault.New(fault.Invalid, "Unknown update action for a %s: %s", language.Noun, name)
	})
	if err != nil {
		return nil, err
	}
	return &Commit[S]{requirements, updates}, nil
}

func parseList[S any](
	request *rawjson.Object, list, tag string, find func(name string) (Reader[S], error),
) ([]Named[S], error) {
	text := request.Get(list)
	if text == nil {
		return nil, nil
	}
	objects, err := rawjson.AsArrayOf(text, rawjson.Split)
	if err != nil {
		return nil, fault.New(fault.Invalid, "Invalid commit request: field %s: %w", list, err)
	}
	steps := make([]Named[S], 0, len(objects))
	for i, object := range objects {
		name, err := rawjson.AsString(object.Get(tag))
		if err != nil {
			return nil, fault.New(fault.Invalid, "Invalid commit request: %s[%d]: field %s: %w", list, i, tag, err)
		}
		name = strings.ToLower(name)
		reader, err := find(name)
		if err != nil {
			return nil, err
		}
		args := NewArgs(name, object)
		step := reader(args)
		if err := args.Err(); err != nil {
			return nil, err
		}
		steps = append(steps, Named[S]{name, args, step})
	}
	return steps, nil
}
