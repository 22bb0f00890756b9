package notes

import "testing"

func TestSaysNothing(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"":           true,
		"[Describe]": true,
		"**Active Task**: [Task ID] - [Description]":  true,
		"**Status**: Not Started":                     true,
		"**Blocked By**: None":                        true,
		"**Scenarios**:":                              true,
		"YYYY-MM-DDTHH:MM:SSZ | Initialized | Done":   true,
		"TD-001 | [Placeholder] | MEDIUM":             true,
		"TD-001 | Two models of hours | - | [ ]":      false,
		"2026-11-21 | Initialized | Template created": false,
		"**Status**: Moving the tokens":               false,
		"The form is YYYY-MM-DD here.":                false,
		"[docs](https://x.y)":                         false,
		"one":                                         false,
	} {
		if got := SaysNothing(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
