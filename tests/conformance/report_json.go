package conformance

import (
	"encoding/json"
	"fmt"
	"io"
)

// Summary counts results.
type Summary struct {
	Pass       int `json:"pass"`
	Fail       int `json:"fail"`    // what breaks the specification
	Quality    int `json:"quality"` // failures of good practice
	Unclear    int `json:"unclear"`
	Skipped    int `json:"skipped"`
	NotOffered int `json:"not_offered"`
}

// Summary counts the results.
func (r *Report) Summary() Summary {
	broken := len(r.Broken())
	return Summary{
		Pass: r.Count(Pass), Fail: broken, Quality: r.Count(Fail) - broken,
		Unclear: r.Count(Unclear), Skipped: r.Count(Skipped), NotOffered: r.Count(NotOffered),
	}
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(struct {
		Summary Summary `json:"summary"`
		*Report
	}{r.Summary(), r})
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
