package preview

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Beside is the preview of the selected session on a screen that isn't a list of rows.
type Beside struct {
	Context context.Context
	Source  Source
	Window  WindowOf                                                      // may be nil
	Answers func(text string, prose, code int, s *render.Styles) []string // renders the text of an answer
	Find    string                                                        // see Key.Find

	pane  Pane
	row   *sessions.Row // nil if there is no row
	frame screen.Frame
	width int
}

// Show sets the session and the width of the preview. It returns the command that reads the session, or nil.
func (b *Beside) Show(row *sessions.Row, f screen.Frame, width int) []screen.Effect {
	b.row, b.frame, b.width = row, f, width
	if row == nil || width <= 0 {
		b.pane.Stop()
		return nil
	}
	return effects(b.pane.Want(b.Context, Key{Path: row.Path, Bytes: row.Bytes, Width: width, Rows: f.Layout.Body.H, Theme: f.Styles.Theme, Find: b.Find}))
}

// Close cancels the last query.
func (b *Beside) Close() { b.pane.Stop() }

// Took handles the messages of the preview.
func (b *Beside) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case DueMsg:
		if msg.Gen != b.pane.Gen || b.row == nil {
			return nil
		}
		o := b.Talk(b.width)
		o.Dir = b.row.Workdir
		return effects(b.pane.Read(b.Context, b.Source, *b.row, o, 0))
	case ReadMsg:
		return effects(b.pane.Arrived(b.Context, msg, b.Source, b.Window, b.row))
	case CountedMsg:
		b.pane.Counted(msg)
	}
	return nil
}

// Talk returns the options for drawing messages in the given width.
func (b *Beside) Talk(width int) talk.Options {
	o := talk.Options{Width: width - 1, Left: 2, Styles: b.frame.Styles, Zone: b.frame.Now.Location(), Home: b.frame.Home}
	if answers, styles := b.Answers, b.frame.Styles; answers != nil {
		o.Markdown = func(text string, prose, code int) []string { return answers(text, prose, code, styles) }
	}
	return o
}

// Draw returns the lines of the preview. folder means that it shows the project's folder. kin are lines about
// relatives.
func (b *Beside) Draw(rows int, folder bool, kin ...string) []string {
	f := Facts{Zone: b.frame.Now.Location(), Now: b.frame.Now, Styles: b.frame.Styles, Kin: kin}
	if folder && b.row != nil {
		f.Folder = render.Folder(b.row.Project, b.frame.Home)
	}
	return b.pane.Draw(b.row, f, b.width, rows)
}

// Join puts the lines of a preview right of a list of the given width.
func Join(lines, beside []string, width int, f screen.Frame) []string {
	hairline := f.Styles.Paint(render.Rule, "│")
	for i := range lines {
		lines[i] = render.Pad(lines[i], width) + hairline
		if i < len(beside) {
			lines[i] += words.Cut(beside[i], f.Width-width-1)
		}
	}
	return lines
}

// effects returns the effect that runs a command, or nil.
func effects(cmd tea.Cmd) []screen.Effect {
	if cmd == nil {
		return nil
	}
	return []screen.Effect{screen.Cmd(cmd)}
}
