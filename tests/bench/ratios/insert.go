package main

import (
	"fmt"
	"os"
	"strings"
)

// What stands between these lines of a document is replaced.
const (
	beginMark = "<!-- make bench writes from here -->\n"
	endMark   = "<!-- to here -->\n"
)

// insert puts the table into a document.
func insert(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(text), beginMark)
	_, after, ends := strings.Cut(rest, endMark)
	if !begins || !ends {
		return fmt.Errorf("%s: has no lines %q and %q to write between", path, beginMark, endMark)
	}
	return os.WriteFile(path, []byte(before+beginMark+"\n"+table+"\n"+endMark+after), 0o644)
}
