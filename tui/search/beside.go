package search

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// whole returns the selected session if it was found by its title, or if nothing was searched for; nil if a match is
// selected. Its preview is that of the list, and enter reads it as the list does.
func (p *Page) whole() *sessions.Row {
	r := p.result()
	if r == nil || p.items[p.list.At].hit >= 0 || r.InTitle == nil && len(r.Hits) > 0 || r.Row == nil || r.Row.Kind != sessions.KindSession {
		return nil
	}
	return r.Row
}

// wantBeside reads what is shown beside the list: the preview of a session, or the messages around a match.
func (p *Page) wantBeside() []screen.Effect {
	row, width := p.whole(), p.frame.Width-p.listWidth()-1
	if row == nil || width <= 0 {
		p.preview.Stop()
		return p.wantAround()
	}
	key := preview.Key{Path: row.Path, Bytes: row.Bytes, Width: width, Rows: p.frame.Layout.Body.H, Theme: p.frame.Styles.Theme}
	if cmd := p.preview.Want(p.opts.Context, key); cmd != nil {
		return []screen.Effect{screen.Cmd(cmd)}
	}
	return nil
}

// previewDue reads the selected session if the bar hasn't moved since the delay began.
func (p *Page) previewDue(msg preview.DueMsg) []screen.Effect {
	row := p.whole()
	if msg.Gen != p.preview.Gen || row == nil {
		return nil
	}
	o := p.talk(p.frame.Width - p.listWidth() - 1)
	o.Dir = row.Workdir
	return []screen.Effect{screen.Cmd(p.preview.Read(p.opts.Context, p.opts.Sessions, *row, o, 0))}
}

// previewed stores the lines of the preview.
func (p *Page) previewed(msg preview.ReadMsg) []screen.Effect {
	if cmd := p.preview.Arrived(p.opts.Context, msg, p.opts.Sessions, p.whole()); cmd != nil {
		return []screen.Effect{screen.Cmd(cmd)}
	}
	return nil
}

// talk returns the options to draw messages beside the list.
func (p *Page) talk(width int) talk.Options {
	answers, styles := p.opts.Answers, p.frame.Styles
	o := talk.Options{Width: width - 1, Left: 2, Styles: styles, Zone: p.frame.Now.Location(), Home: p.frame.Home}
	if answers != nil {
		o.Markdown = func(text string, prose, code int) []string { return answers(text, prose, code, styles) }
	}
	return o
}

// drawBeside returns the rows beside the list.
func (p *Page) drawBeside(width int) []string {
	row := p.whole()
	if row == nil {
		return p.pane.draw(p, width)
	}
	f := preview.Facts{Zone: p.frame.Now.Location(), Now: p.frame.Now, Styles: p.frame.Styles}
	if !p.here {
		f.Folder = words.CutMiddle(render.Folder(row.Project, p.frame.Home), 28)
	}
	return p.preview.Draw(row, f, width, p.frame.Layout.Body.H-1)
}
