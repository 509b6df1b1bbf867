package settings

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/knadh/koanf/providers/env/v2"
)

const environPrefix = "ONCEBERG_"

// Environ is the name of the environment variable that sets the key.
func (k Key) Environ() string {
	return environPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(k.Name))
}

// foreign are variables with our prefix that are nobody's mistake: those of this
// project's tests, and those that Kubernetes sets in every pod for a service
// whose name begins with onceberg.
var foreign = regexp.MustCompile(`^ONCEBERG_(TEST_.*|(.*_)?SERVICE_(HOST|PORT(_.*)?)|(.*_)?PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)

// environLayer reads the variables that begin with the prefix. Which key one
// means is looked up, not computed: an underscore may have been a dot or a dash.
func environLayer(environ []string) (layer, error) {
	keys := map[string]Key{}
	for _, key := range Keys {
		keys[key.Environ()] = key
	}
	l := layer{}
	var problems []error
	provider := env.Provider("", env.Opt{
		Prefix:      environPrefix,
		EnvironFunc: func() []string { return slices.Sorted(slices.Values(environ)) },
		TransformFunc: func(variable, text string) (string, any) {
			key, known := keys[variable]
			switch {
			case known:
				l[key.Name] = entry{text, variable}
			case !foreign.MatchString(variable):
				problems = append(problems, fmt.Errorf("environment variable %s belongs to no key", variable))
			}
			return key.Name, text
		},
	})
	if _, err := provider.Read(); err != nil {
		return nil, fmt.Errorf("environment: %w", err)
	}
	return l, errors.Join(problems...)
}
