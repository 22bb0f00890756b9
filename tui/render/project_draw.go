package render

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// ProjectOptions are the options for drawing the page of a project.
type ProjectOptions struct {
	Width   int // in cells
	Styles  *Styles
	Now     time.Time
	Blanks  bool        // draw a blank line before each group
	Command bool        // for a command: no selection bar, full width
	Chosen  survey.Item // selected item
}

// ProjectPage is the drawn page of a project.
type ProjectPage struct {
	Lines []string
	Spots []ProjectSpot // in the order of Items
}

// ProjectSpot is the position and size of an item on the page, in cells.
type ProjectSpot struct {
	Item survey.Item
	X, Y int
	W, H int
}

// Spot returns the position of an item; nil if the page doesn't have it.
func (p *ProjectPage) Spot(item survey.Item) *ProjectSpot {
	for i := range p.Spots {
		if p.Spots[i].Item == item {
			return &p.Spots[i]
		}
	}
	return nil
}

const (
	twoColumnsFrom = 100
	columnGap      = 2 // cells between the columns, without the bar of the right column
)

// DrawProject draws the page of a project, in two columns from 100 cells on. A page in one column starts with the group
// "Needs you".
func DrawProject(p *survey.Project, o ProjectOptions) ProjectPage {
	if o.Width < 1 {
		return ProjectPage{}
	}
	var page ProjectPage
	if o.Width < twoColumnsFrom {
		c := newPane(p, &o, o.Width, false)
		c.needs()
		c.last()
		c.next()
		c.sessions()
		c.document()
		c.context()
		c.hooks()
		c.kept()
		c.unread()
		page.take(c, 0)
		for _, l := range c.lines {
			page.Lines = append(page.Lines, l.text)
		}
	} else {
		at := o.Width/2 + 1
		left := newPane(p, &o, at, false)
		right := newPane(p, &o, o.Width-at-columnGap, true)
		left.last()
		left.next()
		left.sessions()
		left.document()
		right.needs()
		right.context()
		right.hooks()
		right.kept()
		right.unread()
		page.take(left, 0)
		page.take(right, at+columnGap)
		for i := range max(len(left.lines), len(right.lines)) {
			line := ""
			if i < len(left.lines) {
				line = left.lines[i].text
			}
			if i < len(right.lines) && right.lines[i].text != "" {
				line = Pad(line, at+columnGap) + right.lines[i].text
			}
			page.Lines = append(page.Lines, line)
		}
	}
	page.sort(p.Items())
	return page
}

// take adds the positions of the items in a column that starts at cell x.
func (p *ProjectPage) take(c *pane, x int) {
	for y := range c.lines {
		item := c.lines[y].item
		switch last := len(p.Spots) - 1; {
		case item.Kind == survey.ItemNone:
		case last >= 0 && p.Spots[last].Item == item:
			p.Spots[last].H++
		default:
			p.Spots = append(p.Spots, ProjectSpot{Item: item, X: x, Y: y, W: c.width, H: 1})
		}
	}
}

func (p *ProjectPage) sort(items []survey.Item) {
	spots := make([]ProjectSpot, 0, len(p.Spots))
	for _, item := range items {
		if s := p.Spot(item); s != nil {
			spots = append(spots, *s)
		}
	}
	p.Spots = spots
}

// pane is a column of the page while it is drawn.
type pane struct {
	*survey.Project
	o                 *ProjectOptions
	width             int
	head, glyph, text int // columns
	right             int // column at which text ends
	lines             []paneLine
}

type paneLine struct {
	text string
	item survey.Item
}

func newPane(p *survey.Project, o *ProjectOptions, width int, second bool) *pane {
	c := &pane{Project: p, o: o, width: width, head: 4, glyph: 2, text: 4, right: width - 1}
	switch {
	case o.Command:
		c.head, c.glyph, c.text, c.right = 0, 0, 2, width
	case width < leastGlyph:
		c.head, c.glyph, c.text = 2, -1, 2
	case second:
		c.head = 2
	}
	return c
}

func (c *pane) group(name, more string, right ...Span) {
	if c.o.Blanks && len(c.lines) > 0 {
		c.blank()
	}
	l := c.line(survey.Item{}).To(c.head).PutUntil(Heading, name, c.right)
	if more != "" {
		l.PutUntil(Faint, " "+more, c.right-SpansWidth(right)-1)
	}
	c.put(l.Right(c.right, right...), survey.Item{})
}

func (c *pane) blank() { c.lines = append(c.lines, paneLine{}) }

// line starts a line. A chosen line starts with the bar.
func (c *pane) line(item survey.Item) *Line {
	l := NewLine(c.o.Styles, c.width)
	if c.isChosen(item) {
		l.Select(true).Put(AccentBold, "▌")
	}
	return l
}

func (c *pane) isChosen(item survey.Item) bool {
	return item.Kind != survey.ItemNone && item == c.o.Chosen && !c.o.Command
}

func (c *pane) put(l *Line, item survey.Item) {
	if c.isChosen(item) {
		l.To(c.width)
	}
	text := l.String()
	if !c.isChosen(item) && ansi.StringWidth(strings.TrimSpace(ansi.Strip(text))) == 0 {
		text = ""
	}
	c.lines = append(c.lines, paneLine{text, item})
}

func (c *pane) mark(l *Line, glyph Span) *Line {
	if c.glyph >= 0 {
		l.To(c.glyph).Spans(glyph)
	}
	return l.To(c.text)
}

func (c *pane) note(at int, text string) {
	for _, s := range Wrap(text, c.right-at) {
		c.put(c.line(survey.Item{}).To(at).Put(Faint, s), survey.Item{})
	}
}

// put2 draws a text at the left, and a text at the right edge, which is cut or omitted.
func (c *pane) put2(l *Line, ink Ink, text string, right Span) *Line {
	const least = 8 // minimum width of the right text
	l.PutUntil(ink, text, c.right)
	if room := c.right - l.At() - 2; room >= min(least, ansi.StringWidth(right.Text)) {
		l.Right(c.right, Span{right.Ink, words.Cut(right.Text, room)})
	}
	return l
}
