package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Bounds on the two slow parts, compiling and everything else.
const (
	buildTimeout = 10 * time.Minute
	storyTimeout = 3 * time.Minute
)

// Do plays the demonstration and returns the exit code.
func Do(ctx context.Context, stdout io.Writer) int {
	r := &report{out: stdout}
	if err := play(ctx, r); err != nil {
		r.failed(err)
		return 1
	}
	fmt.Fprintln(stdout, "\nApplied once, whatever the network did.")
	return 0
}

func play(ctx context.Context, r *report) error {
	root, err := repository(ctx)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "onceberg-demo-")
	if err != nil {
		return fmt.Errorf("temporary folder: %w", err)
	}
	defer os.RemoveAll(folder)

	r.begin("Generate idempotent handlers from Iceberg's specification")
	if err := generate(r, root, filepath.Join(folder, "generated")); err != nil {
		return err
	}
	r.begin("Serve them: tables in a local folder, catalog and records of keys in one SQLite file")
	binary, err := build(ctx, root, folder)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, storyTimeout)
	defer cancel()
	child, err := startServer(ctx, binary)
	if err != nil {
		return err
	}
	defer child.kill()
	r.done("cmd/server listens on %s", child.url)
	if err := story(ctx, r, child.url); err != nil {
		return err
	}
	r.begin("Stop")
	if err := child.stop(); err != nil {
		return err
	}
	r.done("the server ended by itself when told to")
	return nil
}
