package testdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// unprivileged is the user that servers run as; the zero value is whoever runs
// the tests. PostgreSQL and MariaDB refuse to be root.
type unprivileged struct {
	credential *syscall.Credential
}

// pickUser returns the first of the named users that exists, when the tests run
// as root.
func pickUser(names []string) (unprivileged, error) {
	if os.Geteuid() != 0 {
		return unprivileged{}, nil
	}
	for _, name := range names {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if errUID != nil || errGID != nil || uid == 0 {
			continue
		}
		return unprivileged{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return unprivileged{}, fmt.Errorf("the tests run as root, and none of the users %v exists to run the server", names)
}

// own hands a file or folder to the user.
func (u unprivileged) own(path string) error {
	if u.credential == nil {
		return nil
	}
	return os.Chown(path, int(u.credential.Uid), int(u.credential.Gid))
}

// command prepares a program to run as the user in the server's folder, with an
// environment that names nothing of the tests'.
func (s *Server) command(ctx context.Context, program string, args ...string) (*exec.Cmd, error) {
	path, err := s.engine.find(program)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "TMPDIR=" + s.dir, "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.user.credential, Setpgid: true}
	return cmd, nil
}

// execute runs a program to its end; its output becomes part of the error.
func (s *Server) execute(ctx context.Context, program string, args ...string) error {
	cmd, err := s.command(ctx, program, args...)
	if err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return nil
}

// process is a running server program. Its end is seen by one goroutine, which
// ends with it.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

func (s *Server) launch() (*process, error) {
	program, args := s.engine.configure(s)
	cmd, err := s.command(context.Background(), program, args...)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	dieWithParent(cmd.SysProcAttr, s.engine.orphaned)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		_ = cmd.Wait() // the exit status of a server that was told to end says nothing
	}()
	return p, nil
}

// signal tells the process; one that has ended already is fine.
func (p *process) signal(sig syscall.Signal) error {
	err := p.cmd.Process.Signal(sig)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}
