package notes

import (
	"slices"
	"strings"
)

// filler returns the text for a column. head is the head in lower case, and like is the cell of another row. known is
// false for an unknown column.
type filler func(head, like string) (text string, known bool)

// putRow returns the insertion of a table row: below the last row if rising, and else below the head. Fields without
// a column go into the main column.
func (in inserter) putRow(b block, section string, rising bool, fill filler) Insertion {
	var head []string
	var like row
	first, at, delimiter := 0, b.hi, 0
	for r := range in.rows(b) {
		if head == nil {
			for _, c := range r.cells {
				head = append(head, strings.ToLower(bare(c)))
			}
			delimiter = in.lineEnd(r.hi, 1)
			like = row{}
			continue
		}
		if first == 0 {
			first = r.lo
		}
		if rising || like.cells == nil {
			like = r
		}
	}
	if !rising {
		at = max(first, delimiter)
	}
	line := "| " + strings.Join(rowCells(head, like.cells, fill, in.entry), " | ") + " |"
	return in.put(piece{at: in.closed(at), lines: []string{line}, tight: true, section: section})
}

// rowCells returns the cells of a new row, one for each column. A row has at least one cell.
func rowCells(head, like []string, fill filler, e Entry) []string {
	if len(head) == 0 {
		head = []string{""}
	}
	cells, known := make([]string, len(head)), make([]bool, len(head))
	for i, h := range head {
		was := ""
		if i < len(like) {
			was = like[i]
		}
		var text string
		text, known[i] = fill(h, was)
		cells[i] = cellText(text)
	}
	main := -1
	for i, p := range e.parts() {
		text := cellText(p[1])
		held := func(c string) bool { return holds(c, text) || p[0] != "" && holds(c, p[0]+": "+text) }
		k := slices.IndexFunc(cells, held)
		if text == "" || k >= 0 && i > 0 {
			continue
		}
		if main < 0 {
			if main = k; k < 0 {
				main = freeColumn(head, cells, known)
			} else {
				continue
			}
		}
		if p[0] != "" {
			text = p[0] + ": " + text
		}
		if cells[main] != "" {
			text = cells[main] + "<br>" + text
		}
		cells[main] = text
	}
	return cells
}

// holds reports whether a cell contains every line of a text.
func holds(cell, text string) bool {
	return strings.Contains("<br>"+cell+"<br>", "<br>"+text+"<br>")
}

// freeColumn returns the column for the main text. It prefers a suitable head, then an empty column of unknown
// purpose, then any empty column.
func freeColumn(head, cells []string, known []bool) int {
	free := func(k int) bool { return cells[k] == "" && !known[k] }
	if k := mainColumn(head); free(k) && !isMinor(head[k]) {
		return k
	}
	for _, ok := range []func(k int) bool{
		func(k int) bool { return free(k) && !isMinor(head[k]) },
		free,
		func(k int) bool { return cells[k] == "" },
	} {
		for k := range head {
			if ok(k) {
				return k
			}
		}
	}
	return 0
}

// isMinor reports whether a column has numbers or ratings.
func isMinor(head string) bool {
	switch head {
	case "", "#", "id", "no", "no.", "nr", "number", "status", "state", "priority", "owner", "evidence", "by", "done":
		return true
	}
	return false
}

// parts returns the fields of an entry as pairs of label and text, the main text first. Only a field without a column
// needs its label.
func (e Entry) parts() [][2]string {
	text := e.Text
	if plain(text) == "" {
		text = e.headline()
	}
	switch e.Kind {
	case EntryReference:
		return [][2]string{{"", e.place()}, {"", e.Text}}
	case EntryHandoff:
		all := [][2]string{{"", e.Text}}
		return append(all, handoffFields(e)...)
	case EntryDecision:
		all := [][2]string{{"", e.headline()}}
		if plain(e.Text) != e.headline() {
			all = append(all, [2]string{"", e.Text})
		}
		all = append(all, [2]string{"", e.Rationale})
		for _, v := range e.Evidence {
			all = append(all, [2]string{"", cited(v)})
		}
		for _, s := range e.Scenarios {
			all = append(all, [2]string{"Test Scenario", s})
		}
		return append(all, [2]string{"Bead", e.Bead})
	default:
		return [][2]string{{"", text}, {"Type", e.Type}, {"Expected", e.Expected}, {"Bead", e.Bead}}
	}
}
