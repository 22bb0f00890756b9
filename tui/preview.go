package tui

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// preview shows the selected session beside the list: what the row knows at once, and the end of its
// conversation when the bar has stood still for a moment.
type preview struct {
	gen    int
	key    previewKey
	cancel context.CancelFunc
	lines  []string
	shown  int // messages that lines come from
	total  int
	err    error
	done   bool
}

// previewKey is what the lines depend on. Another one makes them wrong.
type previewKey struct {
	path  string
	bytes int64
	width int
	theme render.Theme
}

// ask starts over for another key, and reports whether that is needed.
func (p *preview) ask(key previewKey) bool {
	if p.key == key {
		return false
	}
	if p.cancel != nil {
		p.cancel()
	}
	*p = preview{gen: p.gen + 1, key: key}
	return true
}

// stop ends what is on its way and forgets it.
func (p *preview) stop() {
	p.ask(previewKey{})
}

func (p *preview) arrived(msg previewedMsg) {
	if msg.gen != p.gen {
		return
	}
	p.lines, p.shown, p.total, p.err, p.done = msg.lines, msg.shown, msg.total, msg.err, true
}

// draw returns the lines of the pane: title, facts, the badge with its reason, the first prompt, the end.
func (p *preview) draw(row *sessions.Row, folder string, width, rows int, zone *time.Location, st *render.Styles) []string {
	if row == nil {
		return nil
	}
	line := func() *render.Line { return render.NewLine(st, width-1).To(2) }
	lines := []string{line().Put(render.Strong, render.Title(row)).String()}
	if facts := facts(row, folder); facts != "" {
		lines = append(lines, line().Put(render.Muted, facts).String())
	}
	if word := render.Word(row.Badge()); word.Text != "" {
		l := line().Spans(render.Glyph(row.Badge()), render.Span{Ink: render.Text, Text: " "}, word)
		lines = append(lines, l.Put(render.Muted, because(row, zone)).String())
	}
	whole := p.done && p.shown == p.total && len(p.lines) < rows-len(lines) // the prompt stands in the conversation
	if prompt := transcript.Clean(row.Prompt); prompt != "" && !whole {
		lines = append(lines, "")
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
	}
	switch {
	case p.err != nil:
		lines = append(lines, "", line().Put(render.Bad, "✗ ").Put(render.Text, "The conversation could not be read.").String())
		lines = append(lines, line().To(4).Put(render.Muted, transcript.CleanLine(p.err.Error())).String())
	case p.done:
		lines = p.end(lines, rows, line)
	}
	return lines
}

// end appends as much of the end of the conversation as there is room for.
func (p *preview) end(lines []string, rows int, line func() *render.Line) []string {
	room := rows - len(lines) - 1
	if len(p.lines) == 0 || room < 3 {
		return lines
	}
	tail := p.lines
	if len(tail) > room || p.shown < p.total {
		more := "…"
		if left := p.total - p.shown; left > 0 {
			more = "… " + render.Counted(left, "message", "messages") + " before"
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

// facts is one line about a session; folder is "" when it goes without saying.
func facts(row *sessions.Row, folder string) string {
	s := folder
	add := func(text string) {
		if s != "" {
			s += " · "
		}
		s += text
	}
	if branch := transcript.CleanLine(row.Branch); branch != "" {
		add("on " + render.Cut(branch, 24))
	}
	if row.Exact {
		add(render.Counted(row.Messages, "message", "messages"))
		if n := row.Tokens.Total(); n > 0 {
			add(render.Short(n) + " tokens")
		}
	}
	if row.Bytes > 0 {
		add(render.Size(row.Bytes))
	}
	return s
}

// because says in a few words why a row wears its badge.
func because(row *sessions.Row, zone *time.Location) string {
	switch {
	case row.Live != nil && row.Live.WaitingFor != "":
		return ": " + transcript.CleanLine(row.Live.WaitingFor)
	case row.Live != nil && !row.Live.Started.IsZero():
		return " since " + row.Live.Started.In(zone).Format("15:04")
	case row.Reason != "":
		return ": " + transcript.CleanLine(row.Reason)
	}
	return ""
}
