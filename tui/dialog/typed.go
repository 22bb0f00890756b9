package dialog

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/tui/field"
)

// seenOf is what is seen of a field in so many cells, and how many of them are before the cursor: the end of the text, or
// what is around the cursor.
func seenOf(in *field.Field, width int) (text string, before int) {
	text, head := in.Text(), in.Before()
	all, before := ansi.StringWidth(text), ansi.StringWidth(head)
	if all <= width {
		return text, before
	}
	if after := all - before; after <= width-1 { // the end is seen, the cursor in it
		return cutStart(text, width), width - after
	}
	// The cursor stands where the text is cut at its end.
	text = cutStart(head, max(width-1, 1))
	before = ansi.StringWidth(text)
	return text + ansi.Truncate(in.Text()[len(head):], width-before, ""), before
}

// inRows is where a place of a text, in bytes, stands in the rows that it was wrapped into: the blanks between two rows are at
// the end of the first.
func inRows(text string, rows []string, place int) (x, y int) {
	from := 0
	for i, row := range rows {
		from += max(strings.Index(text[from:], row), 0)
		to := from + len(row)
		if i == len(rows)-1 || place < to+len(text[to:])-len(strings.TrimLeft(text[to:], " ")) || place == to && text[to:] != "" && text[to] != ' ' {
			return ansi.StringWidth(text[min(from, place):place]), i
		}
		from = to
	}
	return 0, 0
}

// cutStart shortens a text at its start.
func cutStart(text string, width int) string {
	if w := ansi.StringWidth(text); w > width {
		return ansi.TruncateLeft(text, w-width+1, "…")
	}
	return text
}
