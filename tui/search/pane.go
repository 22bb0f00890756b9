package search

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// pane shows the messages around the selected match.
type pane struct {
	key    paneKey
	gen    int
	cancel context.CancelFunc
	lines  []string
	first  int // index of the line at which the matching message starts
	err    error
}

// paneKey has everything on which the lines depend.
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

// aroundMsg has the lines of a pane.
type aroundMsg struct {
	gen   int
	lines []string
	first int
	err   error
}

// messagesAround is how many messages before the match are drawn, and how many after it.
const messagesAround = 2

// wantAround reads the messages around the selected match. If the pane already has them, it does nothing.
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
		list, at, err := source.Around(ctx, hit, messagesAround)
		lines, first := drawAround(list, at, strings.Split(k.words, "\n"), o)
		return aroundMsg{gen, lines, first, err}
	})}
}

// drawAround draws messages, and marks words in them. first is the index of the line at which the message with
// index at begins.
func drawAround(list []transcript.Message, at int, words []string, o talk.Options) (lines []string, first int) {
	needle := render.NewNeedle(words...)
	after := talk.Start
	for i := range list {
		if i == at {
			first = len(lines)
		}
		for _, line := range talk.Message(&list[i], after, o) {
			lines = append(lines, needle.Light(line, o.Styles))
		}
		after = talk.End(&list[i])
	}
	return lines, first
}

func (p *pane) arrived(msg aroundMsg) {
	if msg.gen == p.gen {
		p.lines, p.first, p.err = msg.lines, msg.first, msg.err
	}
}

// draw returns the rows of the pane. They have the title and the messages. The matching message is in view.
func (p *pane) draw(page *Page, width int) []string {
	r, s := page.result(), page.frame.Styles
	if r == nil {
		return nil
	}
	lines := []string{render.NewLine(s, width-1).To(2).Put(render.Strong, words.Cut(r.Title, width-4)).String()}
	about := render.NewLine(s, width-1).To(2)
	if h := page.hit(); h != nil {
		about.Put(render.Muted, h.Role)
		if !h.Time.IsZero() {
			about.Right(width-1, render.Span{Ink: render.Faint, Text: h.Time.In(page.frame.Now.Location()).Format("Mon Jan 2, 15:04")})
		}
	} else if r.Row != nil {
		about.PutUntil(render.Muted, factsOf(r, page.frame.Home), width-2)
	}
	lines = append(lines, about.String(), "")
	if p.err != nil {
		return append(lines, render.NewLine(s, width-1).To(2).Put(render.Bad, "✗ ").PutUntil(render.Text, "It could not be read: "+p.err.Error(), width-2).String())
	}
	text := p.lines
	if len(text) == 0 && r.Row != nil && page.hit() == nil {
		for _, line := range render.Wrap(transcript.Clean(r.Row.Prompt), width-5) {
			text = append(text, render.NewLine(s, width-1).To(4).Put(render.Text, line).String())
		}
	}
	room := page.frame.Layout.Body.H - 1 - len(lines)
	if from := min(max(p.first-room/4, 0), max(len(text)-room, 0)); from > 0 {
		text = text[from:]
	}
	return append(lines, text[:min(len(text), max(room, 0))]...)
}

// factsOf returns the project and the branch of a result.
func factsOf(r *search.Result, home string) string {
	text := render.Folder(r.Project, home)
	if b := transcript.CleanLine(r.Row.Branch); b != "" {
		text += " on " + b
	}
	return text
}
