// Package preview draws the selected row beside the list.
package preview

import (
	"context"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Pane is the preview. It shows the facts of the row at once, and after a moment the end of its conversation or the
// start of its document.
type Pane struct {
	Gen    int // generation of the query
	key    Key
	Cancel context.CancelFunc // cancels the last query; nil if there was none
	Lines  []string
	shown  int // number of messages in Lines
	total  int
	err    error
	done   bool
	up     int // lines scrolled back from the end; in a document, forward from the start
}

// Key has the inputs that Lines depends on.
type Key struct {
	Path        string
	Bytes       int64
	Width, Rows int
	Theme       render.Theme
}

// Ask starts a new generation and reports true if key has changed. If the path is the same, the old lines stay until
// the new ones arrive.
func (p *Pane) Ask(key Key) bool {
	if p.key == key {
		return false
	}
	if p.Cancel != nil {
		p.Cancel()
	}
	next := Pane{Gen: p.Gen + 1, key: key}
	if p.key.Path == key.Path {
		next.Lines, next.shown, next.total, next.err, next.done, next.up = p.Lines, p.shown, p.total, p.err, p.done, p.up
	}
	*p = next
	return true
}

// Stop cancels the query and empties the pane.
func (p *Pane) Stop() {
	p.Ask(Key{})
}

// Arrived stores the lines of a row, the number of messages in them, and the number of all its messages. It drops the
// result of an older generation.
func (p *Pane) Arrived(gen int, lines []string, shown, total int, err error) {
	if gen == p.Gen {
		p.Lines, p.shown, p.total, p.err, p.done = lines, shown, total, err, true
	}
}

// Scroll scrolls a pane with the given number of rows by delta lines.
func (p *Pane) Scroll(delta, rows int, document bool) {
	if document {
		delta = -delta
	}
	p.up = min(max(p.up-delta, 0), max(len(p.Lines)-rows/2, 0))
}

// Facts has the facts that are drawn but aren't in the row.
type Facts struct {
	Folder string // "" to leave it out
	Zone   *time.Location
	Now    time.Time
	Styles *render.Styles
	Does   []string // for a backup: each key and its effect, as "key effect"

	Chained string      // for a document: its position in the chain
	Linked  render.Span // glyph of a problem with the link to its chain
	Link    string      // text of this problem
	Foot    []string    // for a document: drawn lines about the effect of resuming
}

// Draw returns the lines of the pane: title, facts, badge with its reason, first prompt, end of the conversation.
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
	line := func() *render.Line { return render.NewLine(f.Styles, width-1).To(2) }
	lines := []string{line().Put(render.Strong, render.Title(row)).String()}
	for _, s := range wrapFacts(facts(row, f.Folder), width-4) {
		lines = append(lines, line().Put(render.Muted, s).String())
	}
	if glyph, word := render.BadgeSpans(row, f.Now); word.Text != "" {
		text := because(row, f.Zone)
		for i, s := range render.Wrap(word.Text+text, width-6) {
			l := line()
			if i == 0 {
				l.Spans(glyph, render.Span{Ink: render.Text, Text: " "})
				if rest, ok := cutPrefix(s, word.Text); ok {
					l.Spans(word)
					s = rest
				}
			}
			lines = append(lines, l.To(4).Put(render.Muted, s).String())
		}
	}
	whole := p.done && p.shown == p.total && len(p.Lines) < rows-len(lines) // Lines already shows the first prompt
	if prompt := transcript.Clean(row.Prompt); prompt != "" && !whole && p.up == 0 {
		lines = append(lines, firstPrompt(prompt, width, line)...)
	}
	switch {
	case p.err != nil:
		lines = p.failed(lines, width, line)
	case p.done:
		lines = p.end(lines, rows, line)
	}
	return lines
}

// failed appends the error of the query.
func (p *Pane) failed(lines []string, width int, line func() *render.Line) []string {
	lines = append(lines, "", line().Put(render.Bad, "✗ ").Put(render.Text, "It could not be read.").String())
	for _, s := range render.Wrap(p.err.Error(), width-6) {
		lines = append(lines, line().To(4).Put(render.Muted, s).String())
	}
	return lines
}

func cutPrefix(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || s[:len(prefix)] != prefix {
		return s, false
	}
	return s[len(prefix):], true
}

// firstPrompt draws at most three lines of the first prompt.
func firstPrompt(prompt string, width int, line func() *render.Line) []string {
	lines := []string{""}
	text := render.Wrap(prompt, width-5)
	for i, s := range text[:min(len(text), 3)] {
		l := line()
		if i == 0 {
			l.Put(render.AccentBold, "❯ ")
		}
		if i == 2 && len(text) > 3 {
			s += " …"
		}
		lines = append(lines, l.To(4).Put(render.Strong, s).String())
	}
	return lines
}

// end appends as many lines of the end of the conversation as fit.
func (p *Pane) end(lines []string, rows int, line func() *render.Line) []string {
	room := rows - len(lines) - 1
	if len(p.Lines) == 0 || room < 3 {
		return lines
	}
	tail := p.Lines[:max(len(p.Lines)-p.up, 0)]
	if len(tail) > room || p.shown < p.total {
		more := "…"
		if left := p.total - p.shown; left > 0 {
			more = "… " + words.Counted(left, "earlier message", "earlier messages")
		}
		lines = append(lines, "", line().To(4).Put(render.Faint, more).String())
		room -= 2
	}
	tail = tail[max(len(tail)-room, 0):]
	if len(tail) > 0 && tail[0] == "" {
		tail = tail[1:]
	}
	return append(append(lines, ""), tail...)
}

// facts returns the facts about a row. An empty folder is left out.
func facts(row *sessions.Row, folder string) []string {
	var list []string
	add := func(text string) {
		if text != "" {
			list = append(list, text)
		}
	}
	add(folder)
	if row.Kind == sessions.KindDocument && row.Status != "" {
		add(transcript.CleanLine(row.Status))
	}
	if branch := transcript.CleanLine(row.Branch); branch != "" {
		add("on " + words.Cut(branch, 40))
	}
	if row.Counted() && row.Kind != sessions.KindDocument {
		add(words.Counted(row.Messages, "message", "messages"))
		if n := row.Tokens.Fresh(); n > 0 {
			add(render.Tokens(n) + " tokens")
		}
	}
	if row.Bytes > 0 {
		add(words.Size(row.Bytes))
	}
	return list
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

// because returns the reason for the badge of a row.
func because(row *sessions.Row, zone *time.Location) string {
	switch {
	case row.Deleted:
		return ": its file was deleted while this list was open"
	case row.Live != nil && row.Live.WaitingFor != "":
		return ": " + transcript.CleanLine(row.Live.WaitingFor)
	case row.Live != nil && !row.Live.Started.IsZero():
		return " since " + row.Live.Started.In(zone).Format("15:04")
	case row.Pending:
		return ": not reviewed yet"
	case row.Reason != "":
		return ": " + transcript.CleanLine(row.Reason)
	}
	return ""
}
