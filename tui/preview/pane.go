// Package preview reads and draws the selected row beside a list.
package preview

import (
	"context"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Pane is the preview. It shows the facts of the row at once, and after a moment the last turn of its conversation or
// the start of its document.
type Pane struct {
	Gen    int // generation of the query
	key    Key
	cancel context.CancelFunc // cancels the last query; nil if there was none
	Shown
	done    bool
	changes *Changes // nil unknown
	up      int      // lines scrolled forward from the start
}

// Key has the inputs that Lines depends on.
type Key struct {
	Path        string
	Bytes       int64
	Width, Rows int
	Theme       render.Theme
}

// ask starts a new generation and reports true if key has changed. If the path is the same, the old lines stay until
// the new ones arrive.
func (p *Pane) ask(key Key) bool {
	if p.key == key {
		return false
	}
	if p.cancel != nil {
		p.cancel()
	}
	next := Pane{Gen: p.Gen + 1, key: key}
	if p.key.Path == key.Path {
		next.Shown, next.done, next.changes, next.up = p.Shown, p.done, p.changes, p.up
	}
	*p = next
	return true
}

// Stop cancels the query and empties the pane.
func (p *Pane) Stop() {
	p.ask(Key{})
}

// Scroll scrolls a pane with the given number of rows by delta lines.
func (p *Pane) Scroll(delta, rows int) {
	p.up = min(max(p.up+delta, 0), max(len(p.Lines)-rows/2, 0))
}

// Facts has the facts that are drawn but aren't in the row.
type Facts struct {
	Folder string // "" to leave it out
	Zone   *time.Location
	Now    time.Time
	Styles *render.Styles
	Does   []string      // for a backup: each key and its effect, as "key effect"
	Backup *sessions.Row // the backup, if nothing else is left of the session; else nil

	Chained string      // for a document: its position in the chain
	Linked  render.Span // glyph of a problem with the link to its chain
	Link    string      // text of this problem
	Foot    []string    // for a document: drawn lines about the effect of resuming
}

// Draw returns the lines of the pane. For a session, these are the title, the facts, the badge with its reason, the
// first prompt and the last turn.
func (p *Pane) Draw(row *sessions.Row, f Facts, width, rows int) []string {
	if row == nil {
		return nil
	}
	if row.Kind == sessions.KindBackup {
		return p.drawBackup(row, f, width, rows)
	}
	if row.Kind == sessions.KindDocument {
		return p.drawDocument(row, f, width, rows)
	}
	lines := p.facts(row, f, width)
	if row.Prompt != "" {
		head := line(f, width).Put(render.Faint, "First prompt")
		if !row.First.IsZero() {
			head.Right(width-1, render.Span{Ink: render.Faint, Text: row.First.In(f.Zone).Format("15:04")})
		}
		lines = append(append(lines, "", head.String()), prompt(f.Styles, transcript.CleanLine(row.Prompt), width-1)...)
	}
	return p.body(lines, f, width, rows)
}

// line starts a line of the pane.
func line(f Facts, width int) *render.Line { return render.NewLine(f.Styles, width-1).To(2) }

// body appends the lines that were read, as far as they fit, or the error.
func (p *Pane) body(lines []string, f Facts, width, rows int) []string {
	if p.Err != nil {
		return p.failed(lines, f, width)
	}
	text := p.Lines[min(p.up, len(p.Lines)):]
	return append(lines, text[:min(len(text), max(rows-len(lines), 0))]...)
}

// failed appends the error of the query.
func (p *Pane) failed(lines []string, f Facts, width int) []string {
	lines = append(lines, "", line(f, width).Put(render.Bad, "✗ ").Put(render.Text, "It could not be read.").String())
	for _, s := range render.Wrap(p.Err.Error(), width-6) {
		lines = append(lines, line(f, width).To(4).Put(render.Muted, s).String())
	}
	return lines
}

// wrapFacts puts as many facts on a line as fit.
func wrapFacts(facts []string, width int) []string {
	var lines []string
	for _, fact := range facts {
		if n := len(lines); n > 0 && ansi.StringWidth(lines[n-1])+ansi.StringWidth(fact)+3 <= width {
			lines[n-1] += " · " + fact
		} else {
			lines = append(lines, fact)
		}
	}
	return lines
}
