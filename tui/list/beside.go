package list

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	previewDelay = 120 * time.Millisecond // delay before the selected row is read
	screens      = 3                      // screens of a document that are drawn in advance, for scrolling
)

type (
	// previewDueMsg is sent after the bar hasn't moved for a moment.
	previewDueMsg struct{ gen int }
	// previewedMsg has the lines of a preview.
	previewedMsg struct {
		gen int
		preview.Shown
	}
	// countedMsg has the changes that a conversation made.
	countedMsg struct {
		gen int
		preview.Changes
	}
)

// askPreview reads the selected row after a short delay.
func (p *Page) askPreview() []screen.Effect {
	row, pane := p.pane.selectedRow(), p.frame.Layout.Preview
	if pane.H == 0 || row == nil {
		return nil
	}
	key := preview.Key{Path: row.Path, Bytes: row.Bytes, Width: pane.W, Rows: pane.H, Theme: p.frame.Styles.Theme}
	if !p.preview.Ask(key) {
		return nil
	}
	gen := p.preview.Gen
	return []screen.Effect{screen.Cmd(screen.After(p.opts.Context, previewDelay, func() tea.Msg { return previewDueMsg{gen} }))}
}

// previewDue reads the selected row if the bar hasn't moved since the delay began.
func (p *Page) previewDue(msg previewDueMsg) []screen.Effect {
	row, pane := p.pane.selectedRow(), p.frame.Layout.Preview
	switch {
	case msg.gen != p.preview.Gen:
		return nil
	case pane.H == 0: // there is no room any more
		p.preview.Stop()
		return nil
	case !p.frame.Front || row == nil || row.State == sessions.StateUnreadable || row.Deleted:
		return nil
	}
	ctx := p.reading()
	markdown, styles := p.opts.Answers, p.frame.Styles
	if row.Kind == sessions.KindDocument {
		markdown = p.opts.Prose
	}
	o := talk.Options{
		Width: pane.W - 1, Left: 2, Styles: styles, Zone: p.frame.Now.Location(), Dir: row.Workdir, Home: p.opts.Home,
		Markdown: func(text string, prose, code int) []string { return markdown(text, prose, code, styles) },
	}
	source, of, rows := p.opts.Source, *p.pane.actsOn(row), screens*pane.H
	return []screen.Effect{screen.Cmd(func() tea.Msg { return previewedMsg{msg.gen, preview.Read(ctx, source, of, o, rows)} })}
}

// reading returns the context of a query of the preview, which the next query cancels.
func (p *Page) reading() context.Context {
	if p.preview.Cancel != nil {
		p.preview.Cancel()
	}
	ctx, cancel := context.WithCancel(p.opts.Context)
	p.preview.Cancel = cancel
	return ctx
}

// previewed stores the lines of a preview. Then it counts the changes of a conversation, but those of a live one only
// once.
func (p *Page) previewed(msg previewedMsg) []screen.Effect {
	row := p.pane.selectedRow()
	if !p.preview.Arrived(msg.gen, msg.Shown) || msg.Err != nil || row == nil || row.Kind != sessions.KindSession ||
		row.Live != nil && p.preview.HasChanges() {
		return nil
	}
	ctx, source, of := p.reading(), p.opts.Source, *p.pane.actsOn(row)
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		c, err := preview.ReadChanges(ctx, source, of)
		if err != nil {
			return nil // the lines have shown the error, or the file was rewritten and is read again
		}
		return countedMsg{msg.gen, c}
	})}
}

func (p *Page) drawPreview() []string {
	row, f := p.pane.selectedRow(), preview.Facts{Zone: p.frame.Now.Location(), Now: p.frame.Now, Styles: p.frame.Styles}
	if row != nil && p.scope.wide() {
		f.Folder = words.CutMiddle(render.Folder(row.Project, p.opts.Home), 28)
	}
	if of := p.pane.actsOn(row); of != row {
		f.Backup = of
	}
	if row != nil && row.Kind == backups {
		f.Does = p.Does(row)
	}
	if row != nil && row.Kind == sessions.KindDocument {
		p.pane.ofChain(&f, row.Path)
		f.Foot = p.about(row).resumesFrom()
	}
	return p.preview.Draw(row, f, p.frame.Layout.Preview.W, p.frame.Layout.Preview.H)
}

// Does describes the effects of the keys on a backup if it were selected.
func (p *Page) Does(row *sessions.Row) []string { return p.about(row).does() }

func (p *Page) about(row *sessions.Row) about {
	return about{row: row, shown: p.pane, backups: p.Tally(backups), frame: &p.frame, resumes: p.opts.Resumes}
}
