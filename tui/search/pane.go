package search

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// pane shows the messages around the selected match.
type pane struct {
	key    paneKey
	gen    int
	cancel context.CancelFunc
	shown
}

// shown has the drawn messages around a match.
type shown struct {
	lines      []string
	first, end int // range of the lines of the matching message
	match      int // index of this message's first line with a match
	number, of int // position of the message in its thread; 0 in a document
	err        error
}

// paneKey has all inputs of the lines.
type paneKey struct {
	hit   key
	words string // words to mark, one in each line
	width int
	theme render.Theme
}

func (p *pane) stop() {
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
}

type aroundMsg struct {
	gen int
	shown
}

// messagesAround is how many messages before the match are drawn, and how many after it.
const messagesAround = 8

// wantAround reads the messages around the selected match if the pane doesn't have them.
func (p *Page) wantAround() []screen.Effect {
	width := p.frame.Width - p.listWidth() - 1
	h := p.hit()
	if h == nil || width <= 0 || p.query == nil {
		p.pane.stop()
		p.pane = pane{gen: p.pane.gen + 1}
		return nil
	}
	k := paneKey{p.keyOf(p.list.At), strings.Join(p.query.Words(), "\n"), width, p.frame.Styles.Theme}
	if k == p.pane.key {
		return nil
	}
	p.pane.stop()
	ctx, cancel := context.WithCancel(p.opts.Context)
	p.pane = pane{key: k, gen: p.pane.gen + 1, cancel: cancel}
	source, hit, gen, o := p.opts.Source, *h, p.pane.gen, p.beside.Talk(width)
	o.Dir = p.result().Project
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		near, err := source.Around(ctx, hit, messagesAround)
		drawn := drawAround(&near, strings.Split(k.words, "\n"), o)
		drawn.err = err
		return aroundMsg{gen, drawn}
	})}
}

// drawAround draws messages, and marks words in them. A bar is left of the matching message. Of the other messages, notices
// and API errors aren't drawn, and consecutive tool calls become one line.
func drawAround(near *search.Nearby, texts []string, o talk.Options) shown {
	needle, bar := render.NewNeedle(texts...), o.Styles.Paint(render.AccentBold, "▌")
	s := shown{number: near.Number, of: near.Of}
	after := talk.Start
	var work turn.Work
	drawWork := func() {
		if n := work.Steps(); n > 0 {
			drawn := talk.DrawWork(&work, n, false, after, o)
			s.lines, after, work = append(s.lines, drawn.Lines...), drawn.End, turn.Work{}
		}
	}
	for i := range near.Messages {
		m, all := &near.Messages[i], &near.Messages[i]
		if i != near.At {
			if m.Kind == transcript.Notice || m.Kind == transcript.System {
				continue
			}
			m = withoutCalls(all)
		}
		if m != all && len(m.Blocks) == 0 {
			work.Add(all)
			continue
		}
		drawWork()
		if i == near.At {
			s.first = len(s.lines)
		}
		for _, line := range talk.Message(m, after, o) {
			lit := needle.Light(line, o.Styles)
			switch {
			case i != near.At:
			case len(s.lines) == s.first && strings.TrimSpace(ansi.Strip(line)) == "": // the space above the message
				s.first++
			default:
				if s.match == 0 && lit != line {
					s.match = len(s.lines)
				}
				lit = bar + ansi.TruncateLeft(lit, 1, "")
			}
			s.lines = append(s.lines, lit)
		}
		if i == near.At {
			s.end = len(s.lines)
		}
		if after = talk.End(m); m != all {
			work.Add(all)
		}
	}
	drawWork()
	return s
}

// withoutCalls returns an answer without its tool calls. It returns m without calls, or if m has a fault to draw.
func withoutCalls(m *transcript.Message) *transcript.Message {
	if m.Kind != transcript.Answer || m.Err != "" || m.Gap || m.Unread > 0 {
		return m
	}
	isCall := func(b transcript.Block) bool { return b.Kind == transcript.BlockToolUse || b.CallID != "" }
	if !slices.ContainsFunc(m.Blocks, isCall) {
		return m
	}
	text := *m
	text.Blocks = slices.DeleteFunc(slices.Clone(m.Blocks), isCall)
	return &text
}

func (p *pane) arrived(msg aroundMsg) {
	if msg.gen == p.gen {
		p.shown = msg.shown
	}
}

// draw returns the rows of the pane: the title of the result, the place of the match, and the messages around the
// match.
func (p *pane) draw(page *Page, width int) []string {
	r, s := page.result(), page.frame.Styles
	if r == nil {
		return nil
	}
	row := func(ink render.Ink, left, right string) string {
		return render.NewLine(s, width-1).To(2).PutUntil(ink, left, width-3-ansi.StringWidth(right)).Right(width-1, render.Span{Ink: render.Faint, Text: right}).String()
	}
	count := ""
	if r.Count > 0 {
		count = words.Counted(r.Count, "match", "matches")
	}
	lines := []string{row(render.Strong, r.Title, count), row(render.Muted, factsOf(r, page.frame.Home), kindOf(r))}
	if h := page.hit(); h != nil {
		lines = append(lines, row(render.Muted, p.place(h), words.Moment(page.frame.Now, h.Time)))
	}
	lines = append(lines, "")
	if p.err != nil {
		return append(lines, render.NewLine(s, width-1).To(2).Put(render.Bad, "✗ ").PutUntil(render.Text, "It could not be read: "+p.err.Error(), width-2).String())
	}
	text := p.lines
	if len(text) == 0 && r.Row != nil && page.hit() == nil {
		for _, line := range render.Wrap(transcript.Clean(r.Row.Prompt), width-5) {
			text = append(text, render.NewLine(s, width-1).To(4).Put(render.Text, line).String())
		}
	}
	room := max(page.frame.Layout.Body.H-1-len(lines), 0)
	text = text[p.scrolled(text, room):]
	return append(lines, text[:min(len(text), room)]...)
}

// place returns the section of a match in a document, or the author and position of the message.
func (p *pane) place(h *search.Hit) string {
	switch {
	case h.Section != "":
		return h.Section
	case p.number > 0:
		return h.Role + ", message " + words.Count(p.number) + " of " + words.Count(p.of)
	}
	return h.Role
}

// scrolled returns the index of the first visible line. The view shows the start of the matching message. If the match
// is far below, the view shows the match. If possible, the view begins with a paragraph.
func (p *pane) scrolled(lines []string, room int) int {
	from := p.first
	if p.match-p.first > room/2 {
		from = p.match
	}
	isBlank := func(i int) bool { return strings.TrimSpace(ansi.Strip(lines[i])) == "" }
	top := max(min(from-room/4, len(lines)-room), 0)
	for i := top; i > 0 && i < from; i++ {
		if isBlank(i-1) && !isBlank(i) {
			return i
		}
	}
	return top
}

// factsOf returns the project and the branch of a result.
func factsOf(r *search.Result, home string) string {
	text := render.Folder(r.Project, home)
	if r.Row == nil {
		return text
	}
	if b := transcript.CleanLine(r.Row.Branch); b != "" {
		text += " on " + b
	}
	return text
}

// kindOf returns the kind of a result that isn't a conversation, or "".
func kindOf(r *search.Result) string {
	switch r.Kind {
	case index.Document:
		return "document"
	case index.Ledger:
		return "ledger"
	case index.Checkpoint:
		return "checkpoint"
	case index.Session, index.Subagent, index.Backup:
	}
	return ""
}
