package settings

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/pflag"
)

// Sources are the places that a configuration is read from. Each may be empty.
type Sources struct {
	// File is the path of a YAML file, empty for none.
	File string
	// Environ is the environment, in the form of os.Environ.
	Environ []string
	// Flags are parsed flags, on which AddFlags was called.
	Flags *pflag.FlagSet
}

// layer is what one place sets: a text for each key, and the place's own name
// for it.
type layer map[string]entry

type entry struct{ text, origin string }

// Load reads the settings. The error lists everything that is wrong in any of
// the places, one line each.
func Load(from Sources) (*Settings, error) {
	fromFile, fileErr := fileLayer(from.File)
	fromEnviron, environErr := environLayer(from.Environ)
	problems := []error{fileErr, environErr}

	merged := koanf.New(".")
	s := &Settings{origins: map[string]string{}}
	for _, l := range []layer{defaultLayer(), fromFile, fromEnviron, flagLayer(from.Flags)} {
		problems = append(problems, l.check())
		flat := map[string]any{}
		for name, e := range l {
			flat[name] = e.text
			s.origins[name] = e.origin
		}
		if err := merged.Load(confmap.Provider(flat, "."), nil); err != nil {
			return nil, fmt.Errorf("configuration: %w", err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	for _, key := range Keys {
		if err := key.in(s).set(merged.String(key.Name)); err != nil {
			return nil, fmt.Errorf("%s must be %w", key.Name, err)
		}
	}
	return s, s.check()
}

// check holds every value of a layer against its key.
func (l layer) check() error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(l)) {
		e := l[name]
		key, _ := find(name)
		v := key.in(new(Settings))
		if err := v.set(e.text); err != nil {
			problems = append(problems, fmt.Errorf("%s must be %w; %s says %s", name, err, e.origin, quoted(v, e.text)))
		}
	}
	return errors.Join(problems...)
}

func defaultLayer() layer {
	l := layer{}
	for _, key := range Keys {
		l[key.Name] = entry{key.Default, "the default"}
	}
	return l
}

// origin says in which place a key was set.
func (s *Settings) origin(name string) string { return cmp.Or(s.origins[name], "the default") }
