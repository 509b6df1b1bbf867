package auth

import (
	"context"
	"slices"

	"github.com/onceberg/onceberg/catalog"
)

// anybody is the principal of a rule for every caller, and everything the action
// of one for every action.
const (
	anybody    = "*"
	everything = "*"
)

// Rules say what callers may do. What no rule allows is refused; no rule takes
// away what another one allows, so that their order does not matter.
type Rules struct {
	byPrincipal map[string][]rule
}

// rule allows a principal some actions on some names.
type rule struct {
	actions   []string
	namespace []pattern
	// name is nil for a rule about namespaces and all that is in them.
	name *pattern
}

// Allows reports whether a principal may do something. Who has no name may what
// anybody may.
func (r *Rules) Allows(principal string, access catalog.Access) bool {
	allows := func(one rule) bool { return one.allows(access) }
	return slices.ContainsFunc(r.byPrincipal[anybody], allows) ||
		principal != anybody && slices.ContainsFunc(r.byPrincipal[principal], allows)
}

func (r *rule) allows(access catalog.Access) bool {
	if !slices.Contains(r.actions, everything) && !slices.Contains(r.actions, string(access.Action)) {
		return false
	}
	return matchLevels(r.namespace, access.Namespace) && (r.name == nil || access.Name != "" && r.name.matches(access.Name))
}

// authorizer asks the rules as they are now.
type authorizer struct{ rules *file[*Rules] }

// Allows implements catalog.Authorizer.
func (a authorizer) Allows(_ context.Context, principal string, access catalog.Access) (bool, error) {
	return a.rules.get().Allows(principal, access), nil
}
