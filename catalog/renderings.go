package catalog

import (
	"container/list"
	"sync"

	"github.com/onceberg/onceberg/catalog/metadata/files"
	"github.com/onceberg/onceberg/catalog/metadata/tables"
)

// Limits of what is kept of answers to loadTable, in bytes. A table's state is
// asked for by every reader until the next commit, and the largest tables gain
// the most; but one of them must not push out all others.
const (
	mostRendered      = 64 << 20
	mostRenderedTable = mostRendered / 4
)

// rendering is the body of an answer to loadTable, as it was made from a file.
// There is nothing in it that depends on who asks.
type rendering struct {
	key   renderingKey
	stamp files.Stamp
	body  []byte
}

type renderingKey struct {
	location string
	mode     tables.Mode
}

// renderings keeps those that were asked for last. The zero value is empty. It is
// safe for concurrent use.
type renderings struct {
	mu    sync.Mutex
	byKey map[renderingKey]*list.Element
	// order has the one that was asked for last in front.
	order list.List
	size  int
}

// get returns a body, nil when it is not there or was made from another file.
func (r *renderings) get(key renderingKey, stamp files.Stamp) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.byKey[key]
	if !ok {
		return nil
	}
	found := e.Value.(*rendering)
	if found.stamp != stamp {
		return nil
	}
	r.order.MoveToFront(e)
	return found.body
}

// put keeps a body that nobody changes any more.
func (r *renderings) put(key renderingKey, stamp files.Stamp, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop(r.byKey[key])
	if len(body) > mostRenderedTable {
		return
	}
	if r.byKey == nil {
		r.byKey = map[renderingKey]*list.Element{}
	}
	r.byKey[key] = r.order.PushFront(&rendering{key, stamp, body})
	r.size += len(body)
	for r.size > mostRendered {
		r.drop(r.order.Back())
	}
}

func (r *renderings) drop(e *list.Element) {
	if e == nil {
		return
	}
	gone := r.order.Remove(e).(*rendering)
	delete(r.byKey, gone.key)
	r.size -= len(gone.body)
}
