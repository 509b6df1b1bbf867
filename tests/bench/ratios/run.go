package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// suite is the benchmarks of one package. Rounds is how often each side of a
// ratio has its turn within one run.
type suite struct {
	pkg, bench string
	rounds     int
}

var suites = []suite{
	{"./generator", "^BenchmarkGenerate$", 3},
	{"./runtime", "^BenchmarkGuardRatios$", 50},
	{"./client", "^BenchmarkLoopback$", 2000},
	{"./tests/bench", ".", 3},
}

// run is how the suites are run.
type run struct {
	count, rows int
	short       bool
	out         string
}

// measure runs all suites and keeps what they print. One that fails does not keep
// the others from running.
func (r run) measure(ctx context.Context, path string, stdout, stderr io.Writer) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	raw, err := os.Create(path)
	if err != nil {
		return err
	}
	defer raw.Close()
	both := io.MultiWriter(raw, stdout)
	fmt.Fprint(both, r.header(ctx))
	var failures error
	for _, s := range suites {
		command := exec.CommandContext(ctx, "go", r.arguments(s)...)
		command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
		command.WaitDelay = time.Minute
		command.Stdout, command.Stderr = both, stderr
		if r.rows > 0 {
			command.Env = append(os.Environ(), "BENCH_ROWS="+strconv.Itoa(r.rows))
		}
		if err := command.Run(); err != nil {
			failures = errors.Join(failures, fmt.Errorf("%s: %w", s.pkg, err))
		}
	}
	return errors.Join(failures, raw.Close())
}

func (r run) arguments(s suite) []string {
	count, rounds := r.count, s.rounds
	if r.short {
		count, rounds = min(count, 2), 1
	}
	arguments := []string{
		"test", "-run", "^$", "-bench", s.bench, "-benchtime", strconv.Itoa(rounds) + "x",
		"-count", strconv.Itoa(count), "-timeout", "1h",
	}
	if r.short {
		arguments = append(arguments, "-short")
	}
	return append(arguments, s.pkg)
}

// header is what the benchmarks cannot say themselves, in the lines of
// configuration that their format has.
func (r run) header(ctx context.Context) string {
	commit := output(ctx, "git", "rev-parse", "--short=12", "HEAD")
	if output(ctx, "git", "status", "--porcelain", "--untracked-files=no") != "" {
		commit += " with changes"
	}
	turns := "whole"
	if r.short {
		turns = "short"
	}
	var b strings.Builder
	for _, line := range [][2]string{
		{"date", time.Now().UTC().Format("2006-01-02 15:04 UTC")},
		{"commit", commit},
		{"go", strings.TrimPrefix(output(ctx, "go", "env", "GOVERSION"), "go")},
		{"cores", strconv.Itoa(runtime.NumCPU())},
		{"memory", memory()},
		{"load", load()},
		{"turns", turns},
	} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", line[0], line[1])
		}
	}
	return b.String()
}

// output is what a command prints, nothing if it cannot be run.
func output(ctx context.Context, name string, arguments ...string) string {
	out, err := exec.CommandContext(ctx, name, arguments...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// memory is the machine's, where Linux says it.
func memory() string {
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(info)) // MemTotal: 24689372 kB
	if len(fields) < 2 || fields[0] != "MemTotal:" {
		return ""
	}
	kib, err := strconv.ParseFloat(fields[1], 64)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%.0f GiB", kib/(1<<20))
}

// load is how many threads ran or wanted to in the last minute, where Linux says
// it: what else went on.
func load() string {
	average, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(average), " ")
	return first
}
