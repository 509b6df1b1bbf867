package stored

import (
	"slices"

	"github.com/onceberg/onceberg/catalog/metadata/rawjson"
)

// List is one of the lists in metadata: schemas, snapshots, versions, logs. Its items are known by an id and otherwise
// left as text. The zero value is an empty list.
type List[ID comparable] struct {
	// Items are in the order of the text. They are changed through the methods.
	Items []Item[ID]
	// Dirty says that the list is no longer what the text holds.
	Dirty bool
}

// Item is an element of a list.
type Item[ID comparable] struct {
	ID   ID
	Text rawjson.Value
}

func (l *List[ID]) position(id ID) int {
	return slices.IndexFunc(l.Items, func(i Item[ID]) bool { return i.ID == id })
}

// Has tells whether there is an item with that id.
func (l *List[ID]) Has(id ID) bool { return l.position(id) >= 0 }

// Find returns the text of the item with that id, or nil.
func (l *List[ID]) Find(id ID) rawjson.Value {
	if i := l.position(id); i >= 0 {
		return l.Items[i].Text
	}
	return nil
}

// Add appends an item.
func (l *List[ID]) Add(id ID, text rawjson.Value) {
	l.Items = append(l.Items, Item[ID]{id, text})
	l.Dirty = true
}

// Put replaces the items with that id by one, in the place of the first, or adds it.
func (l *List[ID]) Put(id ID, text rawjson.Value) {
	first := l.position(id)
	if first < 0 {
		l.Add(id, text)
		return
	}
	rest := slices.DeleteFunc(slices.Clone(l.Items[first+1:]), func(i Item[ID]) bool { return i.ID == id })
	l.Items = append(append(l.Items[:first:first], Item[ID]{id, text}), rest...)
	l.Dirty = true
}

// Remove takes out all items that the function picks and tells whether there were any.
func (l *List[ID]) Remove(pick func(ID) bool) bool {
	kept := slices.DeleteFunc(slices.Clone(l.Items), func(i Item[ID]) bool { return pick(i.ID) })
	if len(kept) == len(l.Items) {
		return false
	}
	l.Items = kept
	l.Dirty = true
	return true
}

// Text returns the list as JSON.
func (l *List[ID]) Text() rawjson.Value {
	texts := make([]rawjson.Value, len(l.Items))
	for i, item := range l.Items {
		texts[i] = item.Text
	}
	return rawjson.OfList(texts)
}
