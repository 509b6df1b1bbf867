package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := do(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// settings are what the flags say.
type settings struct {
	run
	from, write string
}

// do is the command: it returns the exit code.
func do(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var s settings
	flags := flag.NewFlagSet("ratios", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.count, "count", 5, "how often to run each benchmark")
	flags.BoolVar(&s.short, "short", false, "take turns of a moment, to see that everything works")
	flags.IntVar(&s.rows, "rows", 0, "the most records to put into a table (default 1,000,000)")
	flags.StringVar(&s.out, "out", filepath.Join("bin", "bench"), "the folder for raw.txt and table.md")
	flags.StringVar(&s.from, "from", "", "make the table from this raw file and run nothing")
	flags.StringVar(&s.write, "write", "", "put the table between the markers of this document, too")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintln(stderr, "ratios: takes no arguments")
		return 2
	}
	if s.short && s.write != "" {
		fmt.Fprintln(stderr, "ratios: the figures of -short mean nothing and are not written into documents")
		return 2
	}
	if err := s.make(ctx, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "ratios:", err)
		return 1
	}
	return 0
}

// make measures, unless there is a raw file, and makes the table. A benchmark
// that fails leaves gaps in the table and keeps it out of the document.
func (s settings) make(ctx context.Context, stdout, stderr io.Writer) error {
	raw := s.from
	var failed error
	if raw == "" {
		raw = filepath.Join(s.out, "raw.txt")
		failed = s.measure(ctx, raw, stdout, stderr)
	}
	text, err := os.ReadFile(raw)
	if err != nil {
		return err
	}
	results, err := parse(bytes.NewReader(text), raw)
	if err != nil {
		return err
	}
	table := render(results)
	fmt.Fprintf(stdout, "\n%s", table)
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.out, "table.md"), []byte(table), 0o644); err != nil {
		return err
	}
	if failed != nil || s.write == "" {
		return failed
	}
	return insert(s.write, table)
}
