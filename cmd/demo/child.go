package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// stopTimeout is how long the server may take to end once it is told to.
const stopTimeout = time.Minute

// build compiles the server.
func build(ctx context.Context, root, folder string) (binary string, err error) {
	ctx, cancel := context.WithTimeout(ctx, buildTimeout)
	defer cancel()
	binary = filepath.Join(folder, "server")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/server")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building cmd/server: %w\n%s", err, out)
	}
	return binary, nil
}

// child is a server in a process of its own.
type child struct {
	url    string
	cmd    *exec.Cmd
	stderr bytes.Buffer
	exited chan error
}

// startServer starts the server on a free port and waits until it says where it
// listens. It ends with ctx at the latest.
func startServer(ctx context.Context, binary string) (*child, error) {
	c := &child{exited: make(chan error, 1)}
	c.cmd = exec.CommandContext(ctx, binary, "--listen", "127.0.0.1:0", "--idempotency.enabled",
		"--idempotency.store-type", "sql", "--data-folder", filepath.Join(filepath.Dir(binary), "data"))
	c.cmd.Env = []string{"HOME=" + os.TempDir()} // whatever is set here is not meant for the demo
	c.cmd.Stderr = &c.stderr
	c.cmd.WaitDelay = stopTimeout
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	go func() {
		_, _ = io.Copy(io.Discard, stdout)
		c.exited <- c.cmd.Wait()
	}()
	url, found := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !found {
		c.kill()
		return nil, fmt.Errorf("the server did not start:\n%s", &c.stderr)
	}
	c.url = url
	return c, nil
}

// stop asks the server to end and waits until it has.
func (c *child) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stopping the server: %w", err)
	}
	select {
	case err := <-c.exited:
		c.exited <- err
		if err != nil {
			return fmt.Errorf("the server ended badly: %w\n%s", err, &c.stderr)
		}
		return nil
	case <-time.After(stopTimeout):
		return errors.New("the server does not end")
	}
}

// kill makes sure that the process is gone.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	c.exited <- <-c.exited
}
