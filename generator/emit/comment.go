package emit

import (
	"strings"
	"unicode"
)

// commentLines renders a description as lines of a doc comment.
func commentLines(text string) string {
	lines := strings.Split(strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("// "+line, " \t")
		alone := (i == 0 || lines[i-1] == "//") && (i == len(lines)-1 || strings.TrimSpace(lines[i+1]) == "")
		if alone && endsInWord(line) {
			lines[i] += "." // gofmt would take the sentence for a heading
		}
	}
	return strings.Join(lines, "\n")
}

func endsInWord(line string) bool {
	runes := []rune(strings.TrimSpace(line))
	return len(runes) > 0 && unicode.IsLetter(runes[len(runes)-1])
}
