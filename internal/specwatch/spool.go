package specwatch

import (
	"bytes"
	"io"
	"sync"
)

// spool is a pipe that never keeps its writer waiting, however late its reader is.
type spool struct {
	mu      sync.Mutex
	changed sync.Cond
	text    bytes.Buffer
	closed  bool
}

func newSpool() *spool {
	s := &spool{}
	s.changed.L = &s.mu
	return s
}

// add takes a copy.
func (s *spool) add(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	s.changed.Signal()
}

// Read implements io.Reader: it waits for more until close is called.
func (s *spool) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.text.Len() == 0 {
		if s.closed {
			return 0, io.EOF
		}
		s.changed.Wait()
	}
	return s.text.Read(p)
}

// close tells the reader that nothing more comes.
func (s *spool) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.changed.Signal()
}
