package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// render makes the Markdown: who measured what on which machine, and one table.
func render(all *results) string {
	var b strings.Builder
	b.WriteString(heading(all.config))
	b.WriteString("\n| | median | range | runs | goal | figures |\n|---|---:|---|---:|---|---|\n")
	for _, s := range sections() {
		fmt.Fprintf(&b, "| **%s** | | | | | |\n", s.heading)
		for _, r := range s.rows {
			b.WriteString(line(all, r))
		}
	}
	return b.String()
}

func heading(config map[string]string) string {
	or := func(key string) string {
		if value := config[key]; value != "" {
			return value
		}
		return "unknown"
	}
	text := fmt.Sprintf("Machine: %s, %s cores, %s of memory, %s/%s; load when it began: %s.\n"+
		"Go %s, PostgreSQL %s, MariaDB %s, SQLite %s. Commit %s, %s.\n",
		or("cpu"), or("cores"), or("memory"), or("goos"), or("goarch"), or("load"),
		or("go"), or("postgres"), or("mariadb"), or("sqlite"), or("commit"), or("date"))
	if config["turns"] == "short" {
		text += "**A short run: it shows that everything works, and its figures mean nothing.**\n"
	}
	return text
}

func line(all *results, r row) string {
	s := all.summarize(r.bench, r.unit)
	if s.runs == 0 {
		return fmt.Sprintf("| %s | not measured | | | | |\n", r.name)
	}
	var figures []string
	for _, unit := range r.beside {
		figures = append(figures, figure(all.summarize(r.bench, unit).median, unit))
	}
	return fmt.Sprintf("| %s | %s | %s – %s | %d | %s | %s |\n", r.name, short(s.median), short(s.low), short(s.high),
		s.runs, r.goal.verdict(s.median), strings.Join(figures, " : "))
}

// figure writes a value with its unit: what comes before the last hyphen of a
// metric says what it is of, and the row says that already.
func figure(value float64, unit string) string {
	switch parts := strings.Split(unit, "-"); {
	case strings.HasPrefix(unit, "ms-"):
		return grouped(value) + " ms"
	case unit == "kept-B":
		return grouped(value) + " bytes kept"
	case unit == "purged/s":
		return grouped(value) + " purged/s"
	case parts[len(parts)-1] == "req/s":
		return grouped(value) + "/s"
	case parts[len(parts)-1] == "ns/op":
		return short(value/1000) + " µs"
	default:
		return short(value) + " " + parts[len(parts)-1]
	}
}

// short keeps three digits of a value, and the whole of one above a thousand.
func short(value float64) string {
	if math.Abs(value) >= 1000 {
		return grouped(value)
	}
	digits := 2
	switch size := math.Abs(value); {
	case size == 0:
		return "0"
	case size < 0.1:
		digits = 3
	case size >= 100:
		digits = 0
	case size >= 10:
		digits = 1
	}
	return strconv.FormatFloat(value, 'f', digits, 64)
}

// grouped writes a whole number with commas.
func grouped(value float64) string {
	text := strconv.FormatFloat(value, 'f', 0, 64)
	first := 1 + strings.Count(text, "-")
	for i := len(text) - 3; i >= first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
