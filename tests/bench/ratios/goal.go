package main

import "strconv"

// goal is a bound for a median.
type goal struct {
	sign  string // "", "≥", "≤" or "<"
	bound float64
}

func atLeast(bound float64) goal { return goal{"≥", bound} }
func atMost(bound float64) goal  { return goal{"≤", bound} }
func under(bound float64) goal   { return goal{"<", bound} }

func (g goal) met(value float64) bool {
	switch g.sign {
	case "≥":
		return value >= g.bound
	case "≤":
		return value <= g.bound
	case "<":
		return value < g.bound
	}
	return true
}

// verdict is the goal and whether the value is there.
func (g goal) verdict(value float64) string {
	if g.sign == "" {
		return ""
	}
	text := g.sign + " " + strconv.FormatFloat(g.bound, 'g', -1, 64)
	if g.met(value) {
		return text + " met"
	}
	return "**" + text + " missed**"
}
