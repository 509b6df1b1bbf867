package testdb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// How long a server may take to come up or to go down. Long, because CI
// machines are slow; a server that fails says so much earlier.
const (
	startTimeout = 90 * time.Second
	stopTimeout  = 60 * time.Second
	pollEvery    = 20 * time.Millisecond
)

// Server is a database server that tests use. Its methods may be called from
// several tests at once, except Stop, Kill and Start.
type Server struct {
	engine  *engine
	durable bool   // flushes commits to disk
	given   string // the DSN from the environment; empty for a server started here

	dir  string
	user unprivileged
	addr string

	mu   sync.Mutex
	proc *process // nil while the server is down
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }
func (s *Server) log() string  { return filepath.Join(s.dir, "log") }

// newServer creates a server in a folder of its own and starts it.
func newServer(e *engine, durable bool) (*Server, error) {
	for program := range e.binaries {
		if _, err := e.find(program); err != nil {
			return nil, err
		}
	}
	u, err := pickUser(e.users)
	if err != nil {
		return nil, err
	}
	s := &Server{engine: e, durable: durable, user: u}
	if s.dir, err = newFolder(); err != nil {
		return nil, err
	}
	if err := s.create(); err != nil {
		return nil, errors.Join(fmt.Errorf("testdb: %s: %w", e.name, err), s.remove())
	}
	return s, nil
}

func (s *Server) create() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if err := s.user.own(s.dir); err != nil {
		return err
	}
	if err := s.engine.initialize(ctx, s); err != nil {
		return err
	}
	var err error
	for range 3 { // somebody else may take the free port before the server does
		if s.addr, err = freeAddr(); err != nil {
			return err
		}
		if err = s.start(ctx); err == nil {
			return nil
		}
	}
	return err
}

// start launches the server and waits until it answers.
func (s *Server) start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc != nil {
		return nil
	}
	proc, err := s.launch()
	if err != nil {
		return err
	}
	if err := s.await(ctx, proc); err != nil {
		return errors.Join(err, proc.signal(syscall.SIGKILL))
	}
	s.proc = proc
	return nil
}

func (s *Server) await(ctx context.Context, proc *process) error {
	db, err := s.engine.open(s.engine.dsn(s.addr, ""))
	if err != nil {
		return err
	}
	defer db.Close()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-proc.done:
			log, _ := os.ReadFile(s.log())
			return fmt.Errorf("the server ended at once; its log:\n%s", log)
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", err)
		case <-tick.C:
		}
	}
}

// end signals the server and waits until it is gone.
func (s *Server) end(sig syscall.Signal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc == nil {
		return nil
	}
	proc := s.proc
	s.proc = nil
	if err := proc.signal(sig); err != nil {
		return err
	}
	select {
	case <-proc.done:
		return nil
	case <-time.After(stopTimeout):
		err := proc.signal(syscall.SIGKILL)
		<-proc.done
		return errors.Join(fmt.Errorf("testdb: %s did not stop within %v", s.engine.name, stopTimeout), err)
	}
}

func (s *Server) remove() error {
	return errors.Join(s.end(s.engine.stop), os.RemoveAll(s.dir))
}

// Stop shuts the server down in an orderly way, ending its sessions, and waits
// for its end. Only for servers that the test started for itself.
func (s *Server) Stop(tb testing.TB) {
	tb.Helper()
	if err := s.end(s.engine.stop); err != nil {
		tb.Fatal(err)
	}
}

// Kill ends the server's main process as kill -9 does; PostgreSQL's other
// processes end by themselves a moment later. What was committed is there again
// after Start. Only for servers that the test started for itself.
func (s *Server) Kill(tb testing.TB) {
	tb.Helper()
	if err := s.end(syscall.SIGKILL); err != nil {
		tb.Fatal(err)
	}
}

// Start brings a stopped or killed server back on the same address, and returns
// once it answers.
func (s *Server) Start(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	var err error
	for ctx.Err() == nil {
		// After a kill, the remaining processes of the old server may hold its
		// memory or its files for a moment.
		if err = s.start(ctx); err == nil {
			return
		}
	}
	tb.Fatalf("testdb: %s does not start again: %v", s.engine.name, err)
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
