package memory

import "container/heap"

// expiryQueue is a heap of all entries of a store, the next one to expire first.
// Retentions rarely differ, so a new entry almost always belongs at the end, and
// keeping the order costs a comparison.
type expiryQueue []*entry

var _ heap.Interface = (*expiryQueue)(nil)

func (q expiryQueue) Len() int { return len(q) }

func (q expiryQueue) Less(i, j int) bool {
	return q[i].record.ExpiresAt.Before(q[j].record.ExpiresAt)
}

func (q expiryQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Push is for package heap.
func (q *expiryQueue) Push(x any) {
	e := x.(*entry)
	e.place = len(*q)
	*q = append(*q, e)
}

// Pop is for package heap.
func (q *expiryQueue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return e
}
