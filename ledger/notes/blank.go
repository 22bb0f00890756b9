package notes

import "strings"

// SaysNothing reports whether a line is left to be filled in: a placeholder, a label with nothing or a placeholder behind
// it, a row of a table with a cell that is one (spec 002, NOTES.md template).
func SaysNothing(line string) bool {
	if list := strings.Split(line, "|"); len(list) > 1 {
		for _, cell := range list {
			if cell = strings.TrimSpace(cell); strings.ContainsAny(cell, "[Y") && cell != "[ ]" && isBlank(cell) {
				return true
			}
		}
	}
	if _, rest, ok := cutLabel(line, anyLabel); ok {
		line = rest
	}
	return isBlank(line)
}
