package reader

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape { return screen.Shape{} }

// ruleFrom is the minimum height of the terminal, in rows, for the rule below the prompt, and for the line of the key M.
const ruleFrom = 20

// noticesFrom is the minimum width of the terminal, in cells, for the number of hidden notices.
const noticesFrom = 72

// Fit implements screen.Screen. A covered page keeps its size and requests nothing.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	was := p.frame
	p.frame = f
	if held := p.opts.Held; held != nil {
		if row := held(p.pane.row.Path); row != nil {
			p.pane.setRow(*row) // the row in the lists may have exact counts now
		}
	}
	if !f.Front {
		p.frame.Layout, p.frame.Width, p.frame.Height = was.Layout, was.Width, was.Height
		return nil
	}
	r, above := &p.pane, p.above
	p.above = 0
	// The row is reserved even without a rule, so that the text doesn't move when the rule appears.
	switch {
	case p.isDocument() || f.Height < ruleFrom:
	case r.view.known:
		p.above = p.knownRows()
	case r.agent != nil: // a sub-agent has no prompts, so the row above the text always says who called it
		p.above = 2
	default:
		p.above = 1
	}
	p.above = min(p.above, f.Layout.Body.H)
	p.rows = f.Layout.Body.H - p.above
	at, _ := r.cur.barRows()
	switch more := p.above - above; {
	case f.Layout != was.Layout:
		r.cur.resized(p.rows)
	case more != 0 && r.view.win.Pin == 0 && at >= more: // the text stays on its rows when the key M adds rows
		r.view.scroll(more, p.rows)
		r.cur.resized(p.rows)
	case more != 0:
		r.cur.resized(p.rows)
	}
	return p.wants()
}

// View implements screen.Screen.
func (p *Page) View() screen.View {
	f, r := &p.frame, &p.pane
	v := screen.View{Title: r.title(f.Width, f.Now, f.Styles), Body: p.body()}
	switch {
	case r.view.known:
		v.Context = p.knownLine()
	case r.doc != nil:
		v.Context = r.context(f.Width, f.Now, f.Styles)
	}
	v.Left, v.Right = r.position(f.Width, p.rows)
	if r.out.Quiet > 0 && !r.folds.Noisy && f.Width >= noticesFrom {
		v.Right = words.Counted(r.out.Quiet, "notice", "notices") + " hidden (" + f.Key("hidden", ".") + ")   " + v.Right
	}
	if p.isDocument() {
		v.Status = p.chainStatus(v.Left, v.Right)
	}
	if v.Says = p.hasSearch(); r.find.typing {
		typed, _ := r.find.field.Seen(max(f.Width-3, 1))
		v.Field = render.NewLine(f.Styles, f.Width).To(1).Put(render.AccentBold, "/").Put(render.Accent, typed).String()
	}
	return v
}

// chainStatus draws the status line of a document, with the chain if there is room.
func (p *Page) chainStatus(left, right string) string {
	width := p.frame.Width
	l := render.NewLine(p.frame.Styles, width).To(1).PutUntil(render.Faint, left+"   ", width-1)
	room := width - 1 - l.At() - len(right) - 2
	if chain := p.chain(room); render.SpansWidth(chain) <= room {
		l.Spans(chain...)
	}
	return l.Right(width-1, render.Span{Ink: render.Faint, Text: right}).String()
}

func (p *Page) body() []string {
	f, r := &p.frame, &p.pane
	n := screen.NewNotice(f.Styles, f.Width)
	switch {
	case r.err != nil:
		n.Error("This " + r.noun() + " could not be opened.")
		n.Detail(screen.Sentence(r.err, f.Home))
		n.Detail("Press esc to go back to the list.")
	case r.doc == nil && r.slow:
		n.Detail("Reading…")
	case r.doc == nil:
		return nil
	case len(r.out.Refs) == 0:
		n.Heading("No messages")
		n.Detail("This file contains no conversation.")
		n.Detail("Press esc to go back to the list.")
	default:
		above := []string{r.rule(f.Width, f.Styles), ""}
		if r.view.known {
			above = p.knownRule()
		}
		above, text := above[:min(p.above, len(above))], r.draw(f.Width, p.rows, p.options())
		if p.isLifted() {
			return append(above[:len(above)-1], append(text, "")...)
		}
		return append(above, text...)
	}
	return n.Lines
}

// Cursor implements screen.Cursored.
func (p *Page) Cursor() (x, y int, ok bool) {
	if !p.pane.find.typing {
		return 0, 0, false
	}
	const column = 2
	status, width := p.frame.Layout.Status, p.frame.Width
	_, before := p.pane.find.field.Seen(max(width-column-1, 1))
	return min(column+before, width-1), status.Y, status.H > 0
}
