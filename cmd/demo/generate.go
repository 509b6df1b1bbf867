package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/onceberg/onceberg/generator"
)

const module = "github.com/onceberg/onceberg"

// repository is the folder of this module's sources.
func repository(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", errors.New("the demo must be run within the repository of " + module + ", with go on the PATH")
	}
	return string(bytes.TrimSpace(out)), nil
}

// generate does what gen does with the repository's own configuration, but into
// another folder.
func generate(r *report, root, out string) error {
	config, err := generator.ReadConfig(filepath.Join(root, generator.ConfigFile))
	if err != nil {
		return err
	}
	config.Out = out
	spec, err := os.ReadFile(config.Spec)
	if err != nil {
		return fmt.Errorf("spec: %w", err)
	}
	analysis, err := generator.Generate(spec, config)
	if err != nil {
		return err
	}
	idempotent := 0
	for _, op := range analysis.Plan.Operations {
		if op.Idempotent {
			idempotent++
		}
	}
	if idempotent == 0 {
		return fmt.Errorf("%s: no operation takes an idempotency key", config.Spec)
	}
	r.done("%d operations, %d of them idempotent", len(analysis.Plan.Operations), idempotent)
	files, err := filepath.Glob(filepath.Join(out, "*.go"))
	if err != nil {
		return err
	}
	r.detail("%d repairs made to the document, %d Go files written", len(analysis.Repairs), len(files))
	return nil
}
