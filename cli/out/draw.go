package out

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
)

const gap = 2 // cells between columns, and before the first one if rows have marks

// Grid is the layout of a table on a terminal. It prints one row at a time.
type Grid[T any] struct {
	t     *Table[T]
	o     *Stream
	json  bool
	width int
	at    int   // cells before the first column
	shown []int // columns that fit
	cells []int // widths of these columns
	below int   // column on a separate line, or -1
}

// Grid returns a grid with columns for the given rows. The caller then prints each row. The wrapped column's
// values may still be empty.
func (t *Table[T]) Grid(o *Output, rows []T) *Grid[T] {
	g := t.grid(o.Out, rows)
	g.json = o.JSON
	return g
}

func (t *Table[T]) grid(o *Stream, rows []T) *Grid[T] {
	g := &Grid[T]{t: t, o: o, width: o.Page(), shown: t.named(t.Shown), below: -1}
	if t.Mark != nil {
		g.at = gap
	}
	natural := make([]int, len(t.Columns))
	for _, i := range g.shown {
		c := &t.Columns[i]
		natural[i] = ansi.StringWidth(c.Head)
		for r := range rows {
			natural[i] = max(natural[i], render.SpansWidth(c.cell(rows[r])))
		}
		if c.Max > 0 {
			natural[i] = min(natural[i], c.Max)
		}
	}
	g.shown = slices.DeleteFunc(g.shown, func(i int) bool { // columns without values
		return natural[i] == 0 && !t.Columns[i].Fill && !t.Columns[i].Below
	})
	g.dropColumns(natural)
	g.share(natural)
	return g
}

// least returns the minimum width of column i in cells. For the Fill column, it is at least room.
func (g *Grid[T]) least(i, room int, natural []int) int {
	c := &g.t.Columns[i]
	switch {
	case c.Fill:
		return max(c.Least, room)
	case c.Below && c.Least > 0:
		return c.Least
	case c.Least > 0:
		return min(c.Least, natural[i])
	}
	return natural[i]
}

// need returns the minimum width of all columns and gaps, in cells.
func (g *Grid[T]) need(room int, natural []int) int {
	sum := g.at + gap*(len(g.shown)-1)
	for _, i := range g.shown {
		sum += g.least(i, room, natural)
	}
	return sum
}

// dropColumns removes columns until the others fit.
func (g *Grid[T]) dropColumns(natural []int) {
	if last := g.shown[len(g.shown)-1]; g.t.Columns[last].Below && g.need(0, natural) > g.width {
		g.below, g.shown = last, g.shown[:len(g.shown)-1]
	}
	for n := 1; n <= len(g.t.Columns); n++ {
		for k, i := range g.shown {
			c := &g.t.Columns[i]
			if c.Leave != n || g.need(c.Room, natural) <= g.width {
				continue
			}
			g.shown = append(append([]int(nil), g.shown[:k]...), g.shown[k+1:]...)
			break
		}
	}
}

// share sets the width of each column, and distributes the spare cells.
func (g *Grid[T]) share(natural []int) {
	spare := max(g.width-g.need(0, natural), 0)
	g.cells = make([]int, len(g.shown))
	for k, i := range g.shown {
		g.cells[k] = g.least(i, 0, natural)
	}
	later := make([]int, len(g.shown)) // by precedence for spare cells: those dropped last come first
	for k := range later {
		later[k] = k
	}
	slices.SortStableFunc(later, func(a, b int) int { return g.t.Columns[g.shown[b]].Leave - g.t.Columns[g.shown[a]].Leave })
	for _, k := range later {
		i := g.shown[k]
		if more := min(natural[i]-g.cells[k], spare); more > 0 {
			g.cells[k], spare = g.cells[k]+more, spare-more
		}
	}
	for k, i := range g.shown {
		if g.t.Columns[i].Fill {
			g.cells[k] += spare
		}
	}
}

// draw returns the rows for a terminal, with the sentence sum below.
func (t *Table[T]) draw(o *Stream, rows []T, sum string) string {
	if len(rows) == 0 && t.Empty != "" {
		return o.Wrapped(t.Empty)
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(trimmed(render.NewLine(o.Styles, o.Page()).Put(render.Heading, t.Title)) + "\n")
	}
	if len(rows) > 0 {
		g := t.grid(o, rows)
		b.WriteString(g.head())
		group := ""
		for i := range rows {
			if now := g.group(rows[i]); now != group {
				group = now
				if i > 0 {
					b.WriteString("\n")
				}
				b.WriteString(g.heading(group, rows[i:]))
			}
			b.WriteString(g.row(rows[i]))
		}
		if sum != "" {
			b.WriteString("\n")
		}
	}
	if sum != "" {
		b.WriteString(strings.Join(render.Wrap(sum, o.Page()), "\n") + "\n")
	}
	return b.String()
}

func (g *Grid[T]) group(row T) string {
	if g.t.Group == nil {
		return ""
	}
	return g.t.Group(row)
}

// heading returns a group's name and number of rows.
func (g *Grid[T]) heading(group string, rows []T) string {
	n := 0
	for n < len(rows) && g.group(rows[n]) == group {
		n++
	}
	return trimmed(render.NewLine(g.o.Styles, g.width).Put(render.Heading, group).Put(render.Faint, " "+words.Count(n)))
}

// head returns the line with the headings, or "".
func (g *Grid[T]) head() string {
	l, at, named := render.NewLine(g.o.Styles, g.width), g.at, false
	for k, i := range g.shown {
		c := &g.t.Columns[i]
		g.put(l, at, k, []render.Span{{Ink: render.Faint, Text: c.Head}})
		at += g.cells[k] + gap
		named = named || c.Head != ""
	}
	if !named {
		return ""
	}
	return trimmed(l)
}

// put writes a cell at its column.
func (g *Grid[T]) put(l *render.Line, at, k int, spans []render.Span) {
	end := at + g.cells[k]
	if c := &g.t.Columns[g.shown[k]]; c.Right && render.SpansWidth(spans) <= g.cells[k] {
		l.Right(end, spans...)
		return
	}
	l.To(at)
	for _, s := range spans {
		l.PutUntil(s.Ink, s.Text, end)
	}
}

// Print prints a row. With --json, it prints nothing: Table.Print prints an array.
func (g *Grid[T]) Print(row T) {
	switch {
	case g.json:
	case g.o.Terminal:
		g.o.Print(g.row(row))
	default:
		g.o.Print(g.t.Tabs(row))
	}
}

// row returns a row for a terminal. It may have several lines.
func (g *Grid[T]) row(row T) string {
	var b strings.Builder
	l, at := render.NewLine(g.o.Styles, g.width), g.at
	if g.t.Mark != nil {
		l.Spans(g.t.Mark(row))
	}
	var rest []string
	wrap := func(i, cells int) (render.Ink, []string) {
		spans := g.t.Columns[i].cell(row)
		text := ""
		for _, s := range spans {
			text += s.Text
		}
		return spans[0].Ink, render.Wrap(text, max(cells, 1))
	}
	line := func(ink render.Ink, at int, text string) {
		b.WriteString(trimmed(render.NewLine(g.o.Styles, g.width).To(at).Put(ink, text)))
	}
	for k, i := range g.shown {
		c := &g.t.Columns[i]
		if !c.Below {
			g.put(l, at, k, c.cell(row))
			at += g.cells[k] + gap
			continue
		}
		ink, lines := wrap(i, g.width-at)
		b.WriteString(trimmed(l.To(at).Put(ink, lines[0])))
		for _, text := range lines[1:] {
			line(ink, at, text)
		}
		rest = lines
	}
	if rest == nil {
		b.WriteString(trimmed(l))
	}
	if g.below >= 0 {
		ink, lines := wrap(g.below, g.width-gap)
		for _, text := range lines {
			if text != "" {
				line(ink, gap, text)
			}
		}
	}
	if g.t.Note != nil {
		if note := g.t.Note(row); note != "" {
			line(render.Faint, gap, words.CutMiddle(CleanPath(note), g.width-gap))
		}
	}
	return b.String()
}

func trimmed(l *render.Line) string { return strings.TrimRight(l.String(), " ") + "\n" }
