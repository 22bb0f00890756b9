package list

import (
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// built has the inputs of the items, except the rows. A changed input builds the items again.
type built struct {
	now         int64 // in seconds, because rows are grouped by age
	width, rows int
}

// Fit implements screen.Screen. A covered page keeps its size and reads nothing.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	was := p.frame
	if p.frame = f; !f.Front {
		p.frame.Layout, p.frame.Width, p.frame.Height = was.Layout, was.Width, was.Height
		p.preview.Stop()
		return nil
	}
	if f.Layout.Preview.H == 0 {
		p.inPreview = false
	}
	body := f.Layout.Body
	if look := (built{f.Now.Unix(), body.W, body.H}); look != p.built && body.W > 0 {
		p.built = look
		p.pane.wide = f.Width >= screen.WideFrom
		p.pane.build(f.Now, body.W, body.H, body.H >= screen.BlankFrom)
	}
	return p.askPreview()
}

// View implements screen.Screen.
func (p *Page) View() screen.View {
	f, l := &p.frame, &p.frame.Layout
	v := screen.View{Context: p.context(), Reading: true, Inside: p.inPreview}
	if l.Preview.H > 0 {
		v.Beside = append([]string{}, p.drawPreview()...)
	}
	if !l.Flipped {
		v.Body = p.body()
	}
	v.Left, v.Right, v.Says = p.whereabouts()
	v.Says = v.Says || p.pane.marks.any()
	switch {
	case p.pane.typing:
		v.Left = p.pane.searched()
	case p.pane.marks.any():
		v.Status = p.markedStatus(v.Right)
	case !p.loading:
		v.Status = p.documentStatus(f.Width, v.Left, v.Right)
	}
	return v
}

// context draws the line above the rows. A selected line has the bar.
func (p *Page) context() string {
	f := &p.frame
	line := p.pane.header(f.Layout.Context.W, f.Now, f.Styles, f.Layout.Body.Has(f.Layout.Status.X, f.Layout.Status.Y))
	if !p.onHead() {
		return line
	}
	return f.Styles.Paint(render.AccentBold, "▌") + ansi.TruncateLeft(line, 1, "")
}

func (p *Page) body() []string {
	f := &p.frame
	if len(p.pane.items) > 0 {
		return p.pane.draw(f.Layout.Body.W, !p.inPreview, f.Now, f.Styles)
	}
	lines := p.empty(f.Layout.Body.W)
	// Move the text closer to the middle.
	if above := (f.Layout.Body.H - len(lines)) / 3; above > 0 && len(lines) > 0 {
		lines = append(make([]string, above), lines...)
	}
	return lines
}

// whereabouts returns the left and right part of the status line. left is a message about a slow load, a warning, or
// the number of hidden rows. right is the position. warns means that left is a warning.
func (p *Page) whereabouts() (left, right string, warns bool) {
	n := p.pane.position()
	switch {
	case n > 0 && p.scope.partial && p.slow:
		return "Reading sessions…", "", false
	case n == 0 || p.scope.partial:
		return "", "", false
	}
	if missing := len(p.scope.missing); missing > 0 {
		left = "✗ " + words.Count(missing) + " not listed · everything else is complete"
	}
	if row := p.pane.selectedRow(); left == "" && row != nil && row.Attention != nil && row.Attention.Due {
		left = "a delta is due: run continuo delta"
	}
	warns = left != ""
	if hidden := p.pane.hidden(); left == "" && hidden != "" && p.pane.kind == sessions.KindSession {
		left = hidden + " (" + p.frame.KeyOf("hidden") + ")"
	}
	if p.pane.isFiltered() { // the line with the filter shows the count
		return left, "", warns
	}
	return left, words.Count(n) + " of " + words.Count(p.pane.total()), warns
}

// searched says which texts the filter searches.
func (l *pane) searched() string {
	if l.kind == sessions.KindDocument {
		return "Matches titles, status, tags, todos, projects, branches. Add status: tag: branch: project:"
	}
	return "Matches columns, titles, projects, branches and first prompts. Capital letters don't matter."
}

// markedStatus draws the status line while rows are marked.
func (p *Page) markedStatus(right string) string {
	width := p.frame.Width
	l := render.NewLine(p.frame.Styles, width).To(1)
	l.Put(render.AccentBold, "✓ ").PutUntil(render.Text, p.pane.markedWords(), max(width-3-len(right), width/2))
	if l.At()+2+len(right) < width {
		l.Right(width-1, render.Span{Ink: render.Faint, Text: right})
	}
	return l.String()
}

// documentStatus draws the status line for a document: its chain, and the number of documents with a broken link. It
// returns "" for other rows.
func (p *Page) documentStatus(width int, left, right string) string {
	row := p.Subject().Row
	if row == nil || row.Kind != sessions.KindDocument || p.scope.partial {
		return ""
	}
	l := render.NewLine(p.frame.Styles, width).To(1)
	end := []render.Span{{Ink: render.Faint, Text: right}}
	if n := p.pane.docs.unplaced(); n > 0 {
		end = []render.Span{{Ink: render.Bad, Text: "✗"}, {Ink: render.Muted, Text: " " + words.Count(n) + " can't be linked"}}
	}
	room := width - 2 - render.SpansWidth(end) - 2
	chain := p.pane.docs.chainStatus(row.Path, p.frame.Now, room)
	if render.SpansWidth(chain) <= room && len(chain) > 0 {
		l.Spans(chain...)
	} else {
		l.PutUntil(render.Faint, left, width-1)
	}
	return l.Right(width-1, end...).String()
}

// Cursor implements screen.Cursored.
func (p *Page) Cursor() (x, y int, ok bool) {
	if !p.pane.typing {
		return 0, 0, false
	}
	const column = 4
	line := p.frame.Layout.Context
	_, before := p.pane.field.Seen(p.pane.fieldWidth(line.W))
	return min(column+before, line.W-1), line.Y, line.H > 0
}
