package live

import (
	"context"
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TalkOptions configure a Talk.
type TalkOptions struct {
	Context context.Context // context of the program
	Source  Source
	ID      string                               // the session
	Answer  bool                                 // open its oldest question first
	Rows    iter.Seq[*sessions.Row]              // the sessions of the lists
	Read    func(row sessions.Row) screen.Screen // returns the reader of a session
}

// Talk is the screen of a session that continuo drives: the reader with its conversation, and below that the text that
// is being written, the queue and the composer.
type Talk struct {
	opts    TalkOptions
	ctx     context.Context // ends when the screen is closed
	cancel  context.CancelFunc
	reader  screen.Screen // nil until the session has a transcript
	row     *sessions.Row // nil until the session has a transcript
	state   keeper.Session
	after   uint64 // ID of the last event that state includes
	tail    string // text of the answer that the transcript may not have yet
	in      field.Lines
	writing bool
	edit    *edit // the input that is being edited in the composer; nil if there is none
	edited  edited
	earlier []string // the prompts that were sent from here, oldest first
	at      int      // index in earlier of the prompt in the composer; len(earlier) for a new one
	frame   screen.Frame
	panel   []string // the lines below the reader
	cursor  [2]int   // column and line of the cursor in panel
}

const (
	promptLines = 200
	promptLine  = 4096 // bytes
	composeMost = 8    // rows of the composer, at most
)

// NewTalk returns the screen of a session.
func NewTalk(o TalkOptions) *Talk {
	return &Talk{opts: o, in: field.NewText(promptLines, promptLine)}
}

// eventsMsg has the state of the session after an event.
type eventsMsg struct {
	state keeper.Session
	after uint64
	grown bool // there are new messages
}

// wait waits for the next event of the session.
func (p *Talk) wait() screen.Effect {
	ctx, source, id, after := p.ctx, p.opts.Source, p.opts.ID, p.after
	return screen.Cmd(func() tea.Msg {
		for {
			events, lost, err := source.Events(ctx, after)
			if err != nil {
				return nil
			}
			msg := eventsMsg{grown: lost}
			ours := lost
			for _, e := range events {
				after = e.ID
				ours = ours || e.Session == id
				msg.grown = msg.grown || e.Session == id && e.Kind == keeper.EventMessage
			}
			if ours {
				msg.state, _ = source.Session(id)
				msg.after = after
				return msg
			}
		}
	})
}

// Open implements screen.Screen. The composer is open.
func (p *Talk) Open() []screen.Effect {
	p.ctx, p.cancel = context.WithCancel(p.opts.Context)
	p.writing = true
	return append(p.find(), p.wait())
}

// find opens the reader as soon as the session has a transcript.
func (p *Talk) find() []screen.Effect {
	for r := range p.opts.Rows {
		if r.ID != p.opts.ID || r.Kind != sessions.KindSession {
			continue
		}
		row := *r
		if p.row = &row; p.reader != nil {
			return nil
		}
		p.reader = p.opts.Read(row)
		return p.reader.Open()
	}
	return nil
}

// Close implements screen.Screen.
func (p *Talk) Close() []screen.Effect {
	p.cancel()
	if p.reader == nil {
		return nil
	}
	return p.reader.Close()
}

// Took implements screen.Screen.
func (p *Talk) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case eventsMsg:
		return p.updated(msg)
	case screen.Rows:
		if slices.ContainsFunc(msg.Came, func(r sessions.Row) bool { return r.ID == p.opts.ID }) {
			p.tail = p.state.Partial
		}
		effects := p.find()
		return append(effects, p.pass(msg)...)
	}
	if effects, ok := p.replied(msg); ok {
		return effects
	}
	return p.pass(msg)
}

// pass hands a message to the reader.
func (p *Talk) pass(msg tea.Msg) []screen.Effect {
	if p.reader == nil {
		return nil
	}
	return p.reader.Took(msg)
}

func (p *Talk) updated(msg eventsMsg) []screen.Effect {
	p.state, p.after = msg.state, msg.after
	if p.state.Partial != "" {
		p.tail = p.state.Partial
	}
	effects := []screen.Effect{p.wait()}
	if p.edit != nil && !p.isOpen(p.edit.q.ID) {
		p.stopEdit()
		effects = append(effects, screen.Tell{Text: "The question is no longer open."})
	}
	if p.opts.Answer && p.asks() != nil {
		p.opts.Answer, p.writing = false, false
		effects = append(effects, p.question()...)
	}
	if msg.grown && p.row != nil { // the transcript grows now; the watch would notice it a little later
		effects = append(effects, p.pass(screen.Rows{Came: []sessions.Row{*p.row}})...)
	}
	return effects
}

// isOpen reports whether a question is open.
func (p *Talk) isOpen(id string) bool {
	return slices.ContainsFunc(p.state.Open, func(o keeper.Attention) bool { return o.ID == id })
}

// asks returns the oldest open question; nil if there is none.
func (p *Talk) asks() *keeper.Attention {
	for i := range p.state.Open {
		if p.state.Open[i].Asks() {
			return &p.state.Open[i]
		}
	}
	return nil
}

// Shape implements screen.Screen.
func (*Talk) Shape(int, int) screen.Shape { return screen.Shape{} }

// Fit implements screen.Screen. The panel takes its rows from the reader.
func (p *Talk) Fit(f screen.Frame) []screen.Effect {
	p.frame = f
	if !f.Front || f.Layout.Body.H == 0 {
		return nil
	}
	p.draw()
	if p.reader == nil {
		return nil
	}
	f.Layout.Body.H = max(f.Layout.Body.H-len(p.panel), 0)
	return p.reader.Fit(f)
}

// View implements screen.Screen.
func (p *Talk) View() screen.View {
	rows := max(p.frame.Layout.Body.H-len(p.panel), 0)
	var v screen.View
	if p.reader != nil {
		v = p.reader.View()
	} else {
		n := screen.NewNotice(p.frame.Styles, p.frame.Width)
		n.Heading("A new session")
		n.Detail("Claude Code writes its transcript at the first prompt.")
		v.Title = render.NewLine(p.frame.Styles, p.frame.Width).To(1).Put(render.Strong, "New session").String()
		v.Body = n.Lines
	}
	v.Body = slices.Clone(v.Body[:min(len(v.Body), rows)])
	for len(v.Body) < rows {
		v.Body = append(v.Body, "")
	}
	v.Body = append(v.Body, p.panel...)
	return v
}

// Cursor implements screen.Cursored.
func (p *Talk) Cursor() (x, y int, ok bool) {
	if p.writing {
		body := p.frame.Layout.Body
		return p.cursor[0], body.Y + max(body.H-len(p.panel), 0) + p.cursor[1], len(p.panel) > 0
	}
	if c, is := p.reader.(screen.Cursored); is {
		return c.Cursor()
	}
	return 0, 0, false
}

// draw draws the panel.
func (p *Talk) draw() {
	width, st := p.frame.Width, p.frame.Styles
	most := max(p.frame.Layout.Body.H/2, 2)
	p.panel = []string{p.rule()}
	if p.tail != "" {
		lines := render.Wrap(p.tail, max(width-8, 1))
		for _, s := range lines[max(len(lines)-most/2, 0):] {
			p.panel = append(p.panel, render.NewLine(st, width).To(4).PutUntil(render.Text, s, width-1).String())
		}
	}
	for _, q := range p.state.Queued {
		p.panel = append(p.panel, render.NewLine(st, width).To(2).Put(render.Faint, "❯ ").
			PutUntil(render.Muted, transcript.CleanLine(q), max(width-34, 4)).Put(render.Faint, "  queued, goes when this turn ends").String())
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

// wrapped returns the text of the composer in rows of a width, and the row of the cursor. It sets the column of the
// cursor.
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

// rule draws the line between the conversation and the composer. It says what the session does.
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
