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

// Pane shows the selected row beside the list: what the row knows at once, and the end of its conversation when
// the bar has stood still for a moment. Of a document it shows the start.
type Pane struct {
	Gen    int // of the questions
	key    Key
	Cancel context.CancelFunc // of the last; nil: none was asked
	Lines  []string
	shown  int // messages that lines come from
	total  int
	err    error
	done   bool
	up     int // lines that are scrolled back from the end; of a document, forth from the start
}

// Key is what the lines depend on. Another one makes them wrong.
type Key struct {
	Path        string
	Bytes       int64
	Width, Rows int
	Theme       render.Theme
}

// Ask starts over for another key, and reports whether that is needed. While a conversation grows or the pane gets
// another size, the old lines stand until the new ones are there.
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

// Stop ends what is on its way and forgets it.
func (p *Pane) Stop() {
	p.Ask(Key{})
}

// Arrived takes the lines of a row in, with how many of its messages they are of. Those that an older question asked for are
// dropped.
func (p *Pane) Arrived(gen int, lines []string, shown, total int, err error) {
	if gen == p.Gen {
		p.Lines, p.shown, p.total, p.err, p.done = lines, shown, total, err, true
	}
}

// Scroll moves the lines in a pane of so many rows.
func (p *Pane) Scroll(delta, rows int, document bool) {
	if document {
		delta = -delta
	}
	p.up = min(max(p.up-delta, 0), max(len(p.Lines)-rows/2, 0))
}

// Facts are what the lines of a preview need besides the row.
type Facts struct {
	Folder string // "" when it goes without saying
	Zone   *time.Location
	Now    time.Time
	Styles *render.Styles
	Does   []string // of a backup: what the keys would do

	Chained string      // of a document: where in its chain it stands
	Linked  render.Span // and what is to be known of its link
	Link    string
	Foot    []string // and what resuming does with it, drawn
}

// Draw returns the lines of the pane: title, facts, the badge with its reason, the first prompt, the end.
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
	whole := p.done && p.shown == p.total && len(p.Lines) < rows-len(lines) // the prompt stands in the conversation
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

// failed appends why nothing more is shown.
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

// firstPrompt draws at most three lines of what the conversation began with.
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

// end appends as much of the end of the conversation as there is room for.
func (p *Pane) end(lines []string, rows int, line func() *render.Line) []string {
	room := rows - len(lines) - 1
	if len(p.Lines) == 0 || room < 3 {
		return lines
	}
	tail := p.Lines[:max(len(p.Lines)-p.up, 0)]
	if len(tail) > room || p.shown < p.total {
		more := "…"
		if left := p.total - p.shown; left > 0 {
			more = "… " + words.Counted(left, "message", "messages") + " before"
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

// facts are what is known of a row; folder is "" when it goes without saying.
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

// wrapFacts puts facts side by side, as many on a line as there is room for.
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

// because says in a few words why a row wears its badge.
func because(row *sessions.Row, zone *time.Location) string {
	switch {
	case row.Deleted:
		return ": its file was deleted while this list was open"
	case row.Live != nil && row.Live.WaitingFor != "":
		return ": " + transcript.CleanLine(row.Live.WaitingFor)
	case row.Live != nil && !row.Live.Started.IsZero():
		return " since " + row.Live.Started.In(zone).Format("15:04")
	case row.Pending:
		return ": nobody has looked at this backup yet"
	case row.Reason != "":
		return ": " + transcript.CleanLine(row.Reason)
	}
	return ""
}
