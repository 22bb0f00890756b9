package list

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

const screens = 3 // screens of a document that are drawn in advance

// askPreview reads the selected row after a short delay.
func (p *Page) askPreview() []screen.Effect {
	row, pane := p.pane.selectedRow(), p.frame.Layout.Preview
	if pane.H == 0 || row == nil {
		return nil
	}
	key := preview.Key{Path: row.Path, Bytes: row.Bytes, Width: pane.W, Rows: pane.H, Theme: p.frame.Styles.Theme}
	if p.pane.isFiltered() {
		key.Find = strings.Join(filter.Words(p.pane.field.Text(), p.pane.kind), "\n")
	}
	return command(p.preview.Want(p.opts.Context, key))
}

// previewDue reads the selected row unless the bar has moved during the delay.
func (p *Page) previewDue(msg preview.DueMsg) []screen.Effect {
	row, pane := p.pane.selectedRow(), p.frame.Layout.Preview
	switch {
	case msg.Gen != p.preview.Gen:
		return nil
	case pane.H == 0: // the window has become too small for a preview
		p.preview.Stop()
		return nil
	case !p.frame.Front || row == nil || row.State == sessions.StateUnreadable || row.Deleted:
		return nil
	}
	markdown, styles := p.opts.Answers, p.frame.Styles
	if row.Kind == sessions.KindDocument {
		markdown = p.opts.Prose
	}
	o := talk.Options{
		Width: pane.W - 1, Left: 2, Styles: styles, Zone: p.frame.Now.Location(), Dir: row.Workdir, Home: p.opts.Home,
		Markdown: func(text string, prose, code int) []string { return markdown(text, prose, code, styles) },
	}
	return command(p.preview.Read(p.opts.Context, p.opts.Source, *p.pane.actsOn(row), o, screens*pane.H))
}

// previewed stores the lines of a preview. Then it starts to count the changes of a session.
func (p *Page) previewed(msg preview.ReadMsg) []screen.Effect {
	row := p.pane.selectedRow()
	if row == nil || row.Kind == sessions.KindSession {
		row = p.pane.actsOn(row)
	} else {
		row = nil
	}
	return command(p.preview.Arrived(p.opts.Context, msg, p.opts.Source, p.opts.Window, row))
}

func command(c tea.Cmd) []screen.Effect {
	if c == nil {
		return nil
	}
	return []screen.Effect{screen.Cmd(c)}
}

func (p *Page) drawPreview() []string {
	row, f := p.pane.selectedRow(), preview.Facts{Zone: p.frame.Now.Location(), Now: p.frame.Now, Styles: p.frame.Styles}
	if row != nil && p.scope.wide() {
		f.Folder = render.Folder(row.Project, p.opts.Home)
	}
	if of := p.pane.actsOn(row); of != row {
		f.Backup = of
	}
	if row != nil && row.Kind == backups {
		f.Does = p.Does(row)
	}
	if row != nil && row.Kind == sessions.KindDocument {
		p.pane.docs.ofChain(&f, row.Path)
		f.Foot = p.about(row).resumesFrom()
	}
	return p.preview.Draw(row, f, p.frame.Layout.Preview.W, p.frame.Layout.Preview.H)
}

// Does describes what the keys would do on a backup if the backup were selected.
func (p *Page) Does(row *sessions.Row) []string { return p.about(row).does() }

func (p *Page) about(row *sessions.Row) about {
	return about{row: row, shown: p.pane, backups: p.Tally(backups), frame: &p.frame, resumes: p.opts.Resumes}
}
