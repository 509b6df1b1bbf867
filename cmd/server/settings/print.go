package settings

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Print writes the effective settings as a YAML file that could be read again,
// but for its secrets, which are masked. A comment says where each value comes
// from, unless it is the default.
func (s *Settings) Print(w io.Writer) error {
	var out strings.Builder
	var open []string
	for _, key := range Keys {
		path := strings.Split(key.Name, ".")
		sections := path[:len(path)-1]
		for i, section := range sections {
			if i < len(open) && open[i] == section {
				continue
			}
			open = open[:min(i, len(open))]
			fmt.Fprintf(&out, "%s%s:\n", indent(i), section)
		}
		open = sections
		fmt.Fprintf(&out, "%s%s: %s", indent(len(sections)), path[len(sections)], inYAML(key.in(s)))
		if origin := s.origin(key.Name); origin != "the default" {
			fmt.Fprintf(&out, " # %s", origin)
		}
		out.WriteByte('\n')
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// inYAML writes a value on one line.
func inYAML(v value) string {
	text := v.String()
	switch v.(type) {
	case truth, count, size:
		return text // without the quotes that tell the text "10" from the number
	}
	quoted, err := yaml.Marshal(text)
	if line := strings.TrimSuffix(string(quoted), "\n"); err == nil && !strings.Contains(line, "\n") {
		return line
	}
	return strconv.Quote(text)
}

func indent(level int) string { return strings.Repeat("  ", level) }
