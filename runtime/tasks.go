package runtime

import "sync"

// tasks counts what a guard has running, requests and goroutines, so that Close
// can wait for it. A sync.WaitGroup cannot: it must not grow while somebody
// waits, and cannot be waited for with a context.
type tasks struct {
	mu      sync.Mutex
	running int
	closed  bool
	idle    chan struct{}
}

// start counts a new task, or reports false when no more are taken.
func (t *tasks) start() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.running++
	return true
}

// fork counts a task that a running one brings forth, closed or not.
func (t *tasks) fork() {
	t.mu.Lock()
	t.running++
	t.mu.Unlock()
}

func (t *tasks) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	if t.closed && t.running == 0 {
		close(t.idle)
	}
}

func (t *tasks) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running
}

// close takes no more tasks. The channel it returns is closed when the last one
// has ended. first is false when it was called before.
func (t *tasks) close() (idle <-chan struct{}, first bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return t.idle, false
	}
	t.closed, t.idle = true, make(chan struct{})
	if t.running == 0 {
		close(t.idle)
	}
	return t.idle, true
}
