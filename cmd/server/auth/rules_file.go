package auth

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/onceberg/onceberg/catalog"
)

// ParseRules reads a YAML file with a list of rules:
//
//	rules:
//	  - principal: spark-etl
//	    actions: [list, read, write]
//	    namespace: sales.**
//	  - principal: reports
//	    actions: [read]
//	    namespace: sales.eu
//	    name: monthly_*
//
// A key that it does not know, or that is not there, is an error: a rule that was
// meant to be narrower must not count as a wider one.
func ParseRules(content []byte) (*Rules, error) {
	list, err := parseList(content)
	if err != nil {
		return nil, err
	}
	rules := &Rules{map[string][]rule{}}
	for _, node := range list {
		principal, parsed, err := parseRule(node)
		if err != nil {
			return nil, at(node.Line, err)
		}
		rules.byPrincipal[principal] = append(rules.byPrincipal[principal], parsed)
	}
	return rules, nil
}

// parseList returns the rules that are to be parsed. An empty file has none, but
// may well be one that is just being written.
func parseList(content []byte) ([]*yaml.Node, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, about("%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, about("there is more than one document")
	}
	if len(document.Content) == 1 {
		root := document.Content[0]
		if root.Kind == yaml.MappingNode && len(root.Content) == 2 && root.Content[0].Value == "rules" && root.Content[1].Kind == yaml.SequenceNode {
			return root.Content[1].Content, nil
		}
	}
	return nil, about("there must be one key, rules, with a list; an empty one, rules: [], allows nothing")
}

func parseRule(node *yaml.Node) (principal string, parsed rule, err error) {
	if node.Kind != yaml.MappingNode {
		return "", rule{}, errors.New("a rule must be a mapping")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i].Value, node.Content[i+1]
		if seen[key] {
			return "", rule{}, fmt.Errorf("%s is there twice", key)
		}
		seen[key] = true
		switch key {
		case "principal":
			principal, err = parseText(value)
		case "actions":
			parsed.actions, err = parseActions(value)
		case "namespace":
			parsed.namespace, err = parseNamespace(value)
		case "name":
			parsed.name, err = parseName(value)
		default:
			err = errors.New("a rule has no such key; it has principal, actions, namespace and name")
		}
		if err != nil {
			return "", rule{}, fmt.Errorf("%s: %w", key, err)
		}
	}
	for _, key := range []string{"principal", "actions", "namespace"} {
		if !seen[key] {
			return "", rule{}, fmt.Errorf("a rule needs the key %s", key)
		}
	}
	return principal, parsed, nil
}

// parseText reads a text, which is never empty: that would be a rule about
// nothing, or be taken for one about everything.
func parseText(node *yaml.Node) (string, error) {
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" || node.Value == "" {
		return "", errors.New("must be a text")
	}
	return node.Value, nil
}

func parseTexts(node *yaml.Node) ([]string, error) {
	if node.Kind != yaml.SequenceNode {
		return nil, errors.New("must be a list")
	}
	texts := make([]string, len(node.Content))
	for i, element := range node.Content {
		var err error
		if texts[i], err = parseText(element); err != nil {
			return nil, fmt.Errorf("element %d %w", i+1, err)
		}
	}
	return texts, nil
}

func parseActions(node *yaml.Node) ([]string, error) {
	actions, err := parseTexts(node)
	if err != nil {
		return nil, err
	}
	if len(actions) == 0 {
		return nil, errors.New("must not be empty")
	}
	for _, action := range actions {
		if action != everything && !slices.Contains(catalog.Actions, catalog.Action(action)) {
			return nil, fmt.Errorf("there is no action %s; there are %s and %v", action, everything, catalog.Actions)
		}
	}
	return actions, nil
}

// parseNamespace reads levels that are joined by dots, or a list of levels, in
// which dots are the levels' own. The empty list is the root.
func parseNamespace(node *yaml.Node) ([]pattern, error) {
	var levels []string
	text, err := parseText(node)
	if err == nil {
		levels = strings.Split(text, ".")
	} else if levels, err = parseTexts(node); err != nil {
		return nil, errors.New("must be levels joined by dots, or a list of them")
	}
	patterns := make([]pattern, len(levels))
	for i, level := range levels {
		switch {
		case level == "":
			return nil, errors.New("has an empty level")
		case strings.Contains(level, string(below)) && (pattern(level) != below || i < len(levels)-1):
			return nil, fmt.Errorf("has %s elsewhere than in the place of the last level", below)
		}
		patterns[i] = pattern(level)
	}
	return patterns, nil
}

func parseName(node *yaml.Node) (*pattern, error) {
	text, err := parseText(node)
	name := pattern(text)
	return &name, err
}
