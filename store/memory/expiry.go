package memory

import "container/heap"

// expiryQueue holds all entries of a store and knows which is the next to expire.
// Retentions rarely differ, so that entries mostly come in the order in which they
// expire: those that do stand in a line, and coming and going costs them no more
// than their neighbours. The others, which expire before one that came earlier, are
// in a heap.
type expiryQueue struct {
	next, last *entry // of the line
	early      expiryHeap
	length     int
}

// inLine is the place of an entry that is not in the heap.
const inLine = -1

func (q *expiryQueue) len() int { return q.length }

func (q *expiryQueue) add(e *entry) {
	q.length++
	switch {
	case q.last == nil:
		q.next = e
	case e.record.ExpiresAt.Before(q.last.record.ExpiresAt):
		heap.Push(&q.early, e)
		return
	default:
		q.last.later = e
	}
	e.place, e.sooner, q.last = inLine, q.last, e
}

func (q *expiryQueue) remove(e *entry) {
	q.length--
	if e.place != inLine {
		heap.Remove(&q.early, e.place)
		return
	}
	if e.sooner != nil {
		e.sooner.later = e.later
	} else {
		q.next = e.later
	}
	if e.later != nil {
		e.later.sooner = e.sooner
	} else {
		q.last = e.sooner
	}
	e.sooner, e.later = nil, nil
}

// moved finds the right place for an entry whose expiry has changed.
func (q *expiryQueue) moved(e *entry) {
	q.remove(e)
	q.add(e)
}

// first returns the next entry to expire, nil when there is none.
func (q *expiryQueue) first() *entry {
	if len(q.early) > 0 && (q.next == nil || q.early[0].record.ExpiresAt.Before(q.next.record.ExpiresAt)) {
		return q.early[0]
	}
	return q.next
}

// expiryHeap is for package heap.
type expiryHeap []*entry

var _ heap.Interface = (*expiryHeap)(nil)

func (h expiryHeap) Len() int { return len(h) }

func (h expiryHeap) Less(i, j int) bool {
	return h[i].record.ExpiresAt.Before(h[j].record.ExpiresAt)
}

func (h expiryHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push is for package heap.
func (h *expiryHeap) Push(x any) {
	e := x.(*entry)
	e.place = len(*h)
	*h = append(*h, e)
}

// Pop is for package heap.
func (h *expiryHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return e
}
