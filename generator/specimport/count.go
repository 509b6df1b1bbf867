package specimport

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// countOperations returns the operations below paths, and how many of them
// declare the header, at the operation or at its path item.
func countOperations(facts *yaml.Node, headerName string) (total, declaring int) {
	all := child(facts, "paths")
	if all == nil {
		return 0, 0
	}
	for i := 0; i < len(all.Content); i += 2 {
		if strings.HasPrefix(all.Content[i].Value, "x-") {
			continue
		}
		item := all.Content[i+1]
		for _, method := range strings.Fields(methods) {
			op := child(item, method)
			if op == nil {
				continue
			}
			total++
			if declares(facts, item, headerName) || declares(facts, op, headerName) {
				declaring++
			}
		}
	}
	return total, declaring
}

func declares(facts, owner *yaml.Node, headerName string) bool {
	params := child(owner, "parameters")
	if params == nil {
		return false
	}
	for _, param := range params.Content {
		param = parameterAt(facts, param)
		in, name := child(param, "in"), child(param, "name")
		if in != nil && name != nil && in.Value == "header" && strings.EqualFold(name.Value, headerName) {
			return true
		}
	}
	return false
}

// parameterAt follows a reference to a component. One that leads elsewhere, or to
// another reference, is left alone: the generator reports it with better words.
func parameterAt(facts, param *yaml.Node) *yaml.Node {
	ref := child(param, "$ref")
	if ref == nil {
		return param
	}
	name, local := strings.CutPrefix(ref.Value, "#/components/parameters/")
	if !local {
		return param
	}
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	return child(child(child(facts, "components"), "parameters"), name)
}
