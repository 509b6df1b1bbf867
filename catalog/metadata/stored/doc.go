// Package stored reads metadata that lies in a file: the members of a table's or a view's text, and its lists, whose
// items are known by an id and otherwise left alone.
package stored
