package change

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Diff returns the unified diff of two texts as lines of a plan, without file names. It is empty for equal texts.
func Diff(before, after []byte) []Line {
	was := string(before)
	unified, _ := udiff.ToUnified("", "", was, udiff.Lines(was, string(after)), udiff.DefaultContextLines) // can't fail
	if unified == "" {
		return nil
	}
	var lines []Line
	for _, row := range strings.Split(strings.TrimSuffix(unified, "\n"), "\n")[2:] {
		tone := Muted
		switch row[0] {
		case '+':
			tone = Plus
		case '-':
			tone = Minus
		case '@', '\\': // the hunk header, and "no newline at end of file"
			tone = Faint
		}
		lines = append(lines, Line{Tone: tone, Text: strings.TrimSuffix(row, "\r"), Cut: true})
	}
	return lines
}

// Counts returns the number of lines that a diff adds and removes.
func Counts(diff []Line) (added, removed int) {
	for _, l := range diff {
		switch l.Tone {
		case Plus:
			added++
		case Minus:
			removed++
		default:
		}
	}
	return added, removed
}
