package ledgerlines

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/render"
)

// mostTable is the maximum number of rows of a table. All rows are laid out at once.
const mostTable = 200

// Tables draws the markdown tables of a text in columns. It doesn't change other lines.
func Tables(text string, width int) string {
	var b strings.Builder
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		n := 0
		for i+n < len(lines) && n < mostTable && strings.HasPrefix(lines[i+n], "|") {
			n++
		}
		drawn := drawTable(lines[i:i+n], width)
		if drawn == nil {
			n = 1
			drawn = lines[i : i+1]
		}
		if i += n; i < len(lines) {
			drawn = append(slices.Clip(drawn), "")
		}
		b.WriteString(strings.Join(drawn, "\n"))
	}
	return b.String()
}

// drawTable draws the rows of a markdown table. It returns nil for other rows, and for too many rows.
func drawTable(rows []string, width int) []string {
	if len(rows) < 2 || len(rows) >= mostTable || strings.Trim(rows[1], "|-: ") != "" {
		return nil
	}
	drawn := render.Markdown(strings.Join(rows, "\n"), width, width, render.NewStyles(render.None))
	for i, line := range drawn {
		drawn[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return drawn
}

// table lays out the table at the next line of a part. It returns false without a table.
func (r *Recovered) table(p *recovery.Part) bool {
	var rows, matches []string
	for _, l := range p.Lines[r.line:min(r.line+mostTable, len(p.Lines))] {
		text, asIs := shownText(l.Text)
		if !strings.HasPrefix(text, "|") || l.Lead != "" || len(l.Marks) > 0 || !l.When.IsZero() {
			break
		}
		for _, m := range l.Match {
			if match := l.Text[m[0]:m[1]]; asIs && match != "" && !slices.Contains(matches, match) {
				matches = append(matches, match)
			}
		}
		rows = append(rows, text)
	}
	drawn, ink := drawTable(rows, max(r.o.Width-r.marks, 1)), render.Text
	if p.Lines[r.line].Old {
		ink = render.Faint
	}
	for _, line := range drawn {
		r.add(lit(line, 0, found(line, matches), ink)...)
	}
	if drawn != nil {
		r.line += len(rows)
	}
	return drawn != nil
}

// found returns the byte ranges of a line that are one of the matches, in order.
func found(line string, matches []string) (list [][2]int) {
	for _, match := range matches {
		for from := 0; ; {
			i := strings.Index(line[from:], match)
			if i < 0 {
				break
			}
			from += i + len(match)
			list = append(list, [2]int{from - len(match), from})
		}
	}
	slices.SortFunc(list, func(a, b [2]int) int { return a[0] - b[0] })
	return list
}
