package change

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Diff returns the unified diff of two texts as rows of a plan, without the names of files at its head: three lines around
// each change, in the form of diff -u. It is empty if the texts are equal.
func Diff(before, after []byte) []Line {
	was := string(before)
	unified, _ := udiff.ToUnified("", "", was, udiff.Lines(was, string(after)), udiff.DefaultContextLines) // the edits fit: they are of was
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
		case '@', '\\': // where it is, and that a last line does not end
			tone = Faint
		}
		lines = append(lines, Line{Tone: tone, Text: strings.TrimSuffix(row, "\r"), Cut: true})
	}
	return lines
}

// Counts returns how many lines a diff adds and removes.
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
