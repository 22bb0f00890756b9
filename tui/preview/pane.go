// Package preview reads the selected row of a list, and draws it beside the list.
package preview

import (
	"context"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Pane is the preview. It shows the facts immediately, and the content of the file after a moment.
type Pane struct {
	Gen    int // generation of the query
	key    Key
	cancel context.CancelFunc // cancels the last query; nil if there was none
	Shown
	done    bool
	changes *Changes // nil if unknown
	window  string   // tmux window of a live session, or ""
	up      int      // scrolled lines
}

// Key has all inputs of the lines of a Pane.
type Key struct {
	Path        string
	Bytes       int64
	Width, Rows int
	Theme       render.Theme
	Find        string // words to mark; a section with a match is open
}

func (k *Key) needle() render.Needle { return render.NewNeedle(strings.Split(k.Find, "\n")...) }

// ask starts a new generation if key has changed, and returns true. For the same path, the old lines stay until new
// lines arrive.
func (p *Pane) ask(key Key) bool {
	if p.key == key {
		return false
	}
	if p.cancel != nil {
		p.cancel()
	}
	next := Pane{Gen: p.Gen + 1, key: key}
	if p.key.Path == key.Path {
		next.Shown, next.done, next.changes, next.window, next.up = p.Shown, p.done, p.changes, p.window, p.up
	}
	*p = next
	return true
}

// Stop cancels the query and empties the pane.
func (p *Pane) Stop() {
	p.ask(Key{})
}

// Scroll scrolls the pane of rows lines by delta.
func (p *Pane) Scroll(delta, rows int) {
	p.up = min(max(p.up+delta, 0), max(len(p.Lines)-rows/2, 0))
}

// Facts has facts that are drawn but aren't part of the row.
type Facts struct {
	Folder string // folder of the project, or ""
	Zone   *time.Location
	Now    time.Time
	Styles *render.Styles
	Does   []string      // for a backup: what each key does, as "key effect"
	Backup *sessions.Row // newest backup of a lost session, or nil

	Kin []string // for a session: lines about its relatives

	Chained string      // for a document: its position in its chain
	Linked  render.Span // glyph for a problem with the link to the chain
	Link    string      // text about this problem
	Foot    []string    // for a document: drawn lines about the key r
}

// Draw returns the lines of the pane.
func (p *Pane) Draw(row *sessions.Row, f Facts, width, rows int) []string {
	if row == nil {
		return nil
	}
	var lines []string
	switch row.Kind {
	case sessions.KindBackup:
		lines = p.drawBackup(row, f, width, rows)
	case sessions.KindDocument:
		lines = p.drawDocument(row, f, width, rows)
	case sessions.KindSession:
		lines = p.drawSession(row, f, width, rows)
	}
	if p.key.Find != "" {
		for i, find := 0, p.key.needle(); i < len(lines); i++ {
			lines[i] = find.Light(lines[i], f.Styles)
		}
	}
	return lines
}

func (p *Pane) drawSession(row *sessions.Row, f Facts, width, rows int) []string {
	lines := append(p.facts(row, f, width), f.Kin...)
	if row.Prompt != "" {
		head := line(f, width).Put(render.Faint, "First prompt")
		if !row.First.IsZero() {
			head.Right(width-1, render.Span{Ink: render.Faint, Text: row.First.In(f.Zone).Format("15:04")})
		}
		lines = append(append(lines, "", head.String()), prompt(f.Styles, transcript.CleanLine(row.Prompt), width-1)...)
	}
	if f.Kin != nil && p.Err == nil { // beside a family, the relatives matter and not the last answer
		return lines
	}
	return p.body(lines, f, width, rows)
}

func line(f Facts, width int) *render.Line { return render.NewLine(f.Styles, width-1).To(2) }

// body appends as many of the read lines as fit. If the query failed, it appends the error.
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
