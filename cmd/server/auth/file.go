package auth

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
)

// file is what a setting's file says, as it was when last read without an error.
type file[T any] struct {
	key, path string
	parse     func(content []byte) (T, error)
	current   atomic.Pointer[T]
}

// open reads a file for the first time. Its errors name the setting.
func open[T any](key, path string, parse func([]byte) (T, error)) (*file[T], error) {
	f := &file[T]{key: key, path: path, parse: parse}
	return f, f.reload()
}

// get returns what the file says.
func (f *file[T]) get() T { return *f.current.Load() }

// reload reads the file again. On an error what it said before still counts.
func (f *file[T]) reload() error {
	content, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("%s: %w", f.key, err)
	}
	parsed, err := f.parse(content)
	if err != nil {
		return fmt.Errorf("%s: %s%w", f.key, f.path, err)
	}
	f.current.Store(&parsed)
	return nil
}

// at is an error about a line, to follow the file's name.
func at(line int, err error) error { return fmt.Errorf(":%d: %w", line, err) }

// about is an error about a file as a whole, to follow its name.
func about(format string, args ...any) error {
	return fmt.Errorf(": %w", fmt.Errorf(format, args...))
}

// eachLine calls add with every line that is neither empty nor a comment, which
// begins with #. Errors quote nothing: there may be secrets in the file.
func eachLine(content []byte, add func(line string) error) error {
	lines := bufio.NewScanner(bytes.NewReader(content))
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := add(line); err != nil {
			return at(number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return about("%w", err)
	}
	return nil
}

// cutWord splits a line at its first blanks.
func cutWord(line string) (word, rest string) {
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimSpace(line[i:])
}
