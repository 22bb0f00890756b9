package live

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// roomyFrom is the minimum height of the terminal for a blank line above the rule.
const roomyFrom = 30

// draw draws the unwritten messages and the panel.
func (p *Talk) draw() []screen.Effect {
	p.drawPanel()
	p.lines = nil
	end, ok := opened.End{Version: -1}, true // for a session without a transcript
	if p.reader != nil {
		end, ok = p.reader.End()
	}
	if !ok {
		return nil
	}
	f := p.frame
	o := talk.Options{Width: talk.TextWidth(f.Width), Left: 2, Styles: f.Styles, Zone: f.Now.Location(), Dir: p.state.Dir, Home: f.Home, Live: true}
	p.join(end, p.state.Records)
	p.lines = p.unwritten.draw(p.state.Partial, end.After, o)
	p.lines = p.lines[max(len(p.lines)-max(f.Layout.Body.H-len(p.panel), 0), 0):]
	return p.prettify(p.state.Partial, p.opts.Answers, o)
}

// drawPanel draws the rule, the queued prompts and the composer.
func (p *Talk) drawPanel() {
	width, st := p.frame.Width, p.frame.Styles
	p.panel = nil
	if p.frame.Height >= roomyFrom {
		p.panel = append(p.panel, "")
	}
	p.panel = append(p.panel, p.rule())
	for _, q := range p.state.Queued {
		note := render.Span{Ink: render.Faint, Text: "queued, sent when this turn ends"}
		p.panel = append(p.panel, render.NewLine(st, width).To(2).Put(render.Faint, "❯ ").
			PutUntil(render.Muted, transcript.CleanLine(q), width-render.SpansWidth([]render.Span{note})-5).Right(width-1, note).String())
	}
	if len(p.state.Queued) > 0 && p.frame.Height >= roomyFrom {
		p.panel = append(p.panel, "")
	}
	if !p.writing {
		return
	}
	lines, row := p.wrapped(max(width-6, 1))
	rows := composeMost
	if p.edit != nil {
		rows = max(p.frame.Layout.Body.H*2/3, composeMost)
	}
	from := max(min(row-rows+1, len(lines)-rows), 0)
	for i, s := range lines[from:min(from+rows, len(lines))] {
		l := render.NewLine(st, width)
		if from+i == 0 {
			l.To(2).Put(render.AccentBold, "❯")
		}
		p.panel = append(p.panel, l.To(4).Put(render.Accent, s).String())
	}
	p.cursor[1] = len(p.panel) - min(len(lines), rows) + row - from
}

// wrapped returns the text of the composer in lines of a width, and the index of the cursor's line. It sets the
// cursor's column.
func (p *Talk) wrapped(width int) (lines []string, row int) {
	at, before := p.in.Cursor()
	for i, s := range strings.Split(p.in.Shown(), "\n") {
		if i == at {
			head := strings.Split(ansi.Hardwrap(before, width, true), "\n")
			row, p.cursor[0] = len(lines)+len(head)-1, 4+ansi.StringWidth(head[len(head)-1])
		}
		lines = append(lines, strings.Split(ansi.Hardwrap(s, width, true), "\n")...)
	}
	return lines, row
}

// rule draws the line between the conversation and the composer, with the state of the session.
func (p *Talk) rule() string {
	l := render.NewLine(p.frame.Styles, p.frame.Width).Put(render.Rule, "──── ")
	switch q := p.asks(); {
	case p.edit != nil:
		l.Put(render.AccentBold, "? ").PutUntil(render.Accent, "Change "+editName(p.edit.field)+" of "+transcript.CleanLine(p.edit.q.Tool), p.frame.Width-6)
	case q != nil:
		who := map[keeper.AttentionKind]string{keeper.AttentionQuestion: "Claude asks", keeper.AttentionPlan: "Claude has a plan"}[q.Kind]
		if who == "" {
			who = transcript.CleanLine(q.Tool) + " asks"
		}
		l.Put(render.AccentBold, "? ").PutUntil(render.Accent, who+". "+p.frame.Key("answer", "A")+" opens the question", p.frame.Width-6)
	case p.state.Status == keeper.StatusBusy:
		l.Put(render.GoodBold, "● ").Put(render.Good, "busy")
	case p.state.Status == keeper.StatusEnded:
		l.Put(render.BadBold, "✗ ").PutUntil(render.Bad, strings.TrimSpace("ended "+transcript.CleanLine(p.state.Err)), p.frame.Width-6)
	default:
		text := "idle"
		for _, o := range p.state.Open {
			if o.Kind == keeper.AttentionError {
				text = transcript.CleanLine(o.Message)
			}
		}
		l.Put(render.Good, "● ").PutUntil(render.Muted, text, p.frame.Width-6)
	}
	if text := p.setting(); text != "" && l.At()+ansi.StringWidth(text)+8 < p.frame.Width {
		l.Put(render.Faint, "  "+words.Cut(text, p.frame.Width-l.At()-4))
	}
	l.Put(render.Rule, " ")
	return l.Put(render.Rule, strings.Repeat("─", max(p.frame.Width-l.At(), 0))).String()
}
