package catalog

import (
	"maps"
	"slices"
	"sync"
)

// tree holds the namespaces, one node for each level of a name.
type tree struct {
	mu   sync.RWMutex
	root node
}

// node is a namespace, or an implicit parent of one. An implicit parent always
// has children.
type node struct {
	children map[string]*node
	// properties is nil as long as nobody has created the namespace.
	properties map[string]string
}

func (n *node) created() bool { return n.properties != nil }

// find returns the node of a name, nil when there is none. The caller holds mu.
func (t *tree) find(name levels) *node {
	n := &t.root
	for _, level := range name {
		if n = n.children[level]; n == nil {
			return nil
		}
	}
	return n
}

// namespace returns the node of a namespace that was created. The caller holds
// mu.
func (t *tree) namespace(name levels) (*node, error) {
	n := t.find(name)
	if n == nil || !n.created() {
		return nil, noSuchNamespace(name)
	}
	return n, nil
}

func (t *tree) create(name levels, properties map[string]string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := t.find(name); n != nil && n.created() {
		return namespaceExists(name)
	}
	n := &t.root
	for _, level := range name {
		child := n.children[level]
		if child == nil {
			child = &node{}
			if n.children == nil {
				n.children = map[string]*node{}
			}
			n.children[level] = child
		}
		n = child
	}
	n.properties = map[string]string{}
	maps.Copy(n.properties, properties)
	return nil
}

func (t *tree) load(name levels) (map[string]string, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n, err := t.namespace(name)
	if err != nil {
		return nil, err
	}
	return maps.Clone(n.properties), nil
}

func (t *tree) drop(name levels) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, err := t.namespace(name)
	if err != nil {
		return err
	}
	if len(n.children) > 0 {
		return namespaceNotEmpty(name)
	}
	n.properties = nil
	t.prune(name)
	return nil
}

// prune removes a node that is neither created nor anybody's parent, and then
// the implicit parents that are left without a child. The caller holds mu.
func (t *tree) prune(name levels) {
	for len(name) > 0 {
		n := t.find(name)
		if n.created() || len(n.children) > 0 {
			return
		}
		last := len(name) - 1
		delete(t.find(name[:last]).children, name[last])
		name = name[:last]
	}
}

// change removes properties and then sets others, all at once. It returns those
// of removals that were there and those that were not, each once and in order.
func (t *tree) change(name levels, removals []string, updates map[string]string) (removed, missing []string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, err := t.namespace(name)
	if err != nil {
		return nil, nil, err
	}
	for _, key := range slices.Compact(slices.Sorted(slices.Values(removals))) {
		if _, there := n.properties[key]; there {
			removed = append(removed, key)
			delete(n.properties, key)
		} else {
			missing = append(missing, key)
		}
	}
	maps.Copy(n.properties, updates)
	return removed, missing, nil
}

// children returns the last levels of a parent's children, sorted.
func (t *tree) children(parent levels) ([]string, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n := t.find(parent)
	if n == nil {
		return nil, noSuchNamespace(parent)
	}
	return slices.Sorted(maps.Keys(n.children)), nil
}
