package live

import (
	"context"
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TalkOptions configure a Talk.
type TalkOptions struct {
	Context context.Context // context of the program
	Source  Source
	ID      string                        // the session
	Answer  bool                          // open the oldest question with the screen
	Keeper  bool                          // a keeper runs the session, so it outlives the browser
	Rows    iter.Seq[*sessions.Row]       // the sessions of the lists
	Read    func(row sessions.Row) Reader // returns the reader of a session
	Answers Markdown                      // renders the unfinished answer
}

// Markdown renders a text with widths for prose and code. It returns no lines to keep the text plain.
type Markdown = func(text string, prose, code int, s *render.Styles) []string

// Reader is the reader of a session.
type Reader interface {
	screen.Screen
	// End returns the end of the conversation. ok is false if the view isn't at the end.
	End() (end opened.End, ok bool)
}

// Talk is the screen of a driven session: the reader, the unwritten messages, the queued prompts and the composer.
type Talk struct {
	opts   TalkOptions
	ctx    context.Context // cancelled when the screen is closed
	cancel context.CancelFunc
	reader Reader        // nil until the session has a transcript
	row    *sessions.Row // nil until the session has a transcript
	state  keeper.Session
	after  uint64 // ID of the last event that state reflects
	unwritten
	in      field.Lines
	writing bool
	edit    *edit // the edit in the composer, or nil
	edited  edited
	earlier []string // prompts sent from this screen, oldest first
	at      int      // index of the prompt in earlier; len(earlier) for a new one
	frame   screen.Frame
	lines   []string // drawn lines of unwritten, below the reader
	panel   []string // lines of the panel at the bottom
	cursor  [2]int   // column and line of the cursor in panel
}

const (
	promptLines = 200
	promptLine  = 4096 // bytes
	composeMost = 8    // maximum height of the composer
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

// wait returns a command that waits for the next event of the session.
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

// Open implements screen.Screen. The cursor is in the composer.
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
		effects := p.find()
		return append(effects, p.pass(msg)...)
	case pretty:
		p.pretty, p.rendering = msg, false
		return nil
	}
	if effects, ok := p.replied(msg); ok {
		return effects
	}
	return p.pass(msg)
}

// pass passes a message to the reader.
func (p *Talk) pass(msg tea.Msg) []screen.Effect {
	if p.reader == nil {
		return nil
	}
	return p.reader.Took(msg)
}

func (p *Talk) updated(msg eventsMsg) []screen.Effect {
	p.state, p.after = msg.state, msg.after
	if msg.grown {
		p.streamed++
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
	if msg.grown && p.row != nil { // the watch would notice the growth later
		effects = append(effects, p.pass(screen.Rows{Came: []sessions.Row{*p.row}})...)
	}
	return effects
}

// isOpen reports whether a question is still open.
func (p *Talk) isOpen(id string) bool {
	return slices.ContainsFunc(p.state.Open, func(o keeper.Attention) bool { return o.ID == id })
}

// asks returns the oldest open question, or nil.
func (p *Talk) asks() *keeper.Attention { return question(&p.state) }

// Shape implements screen.Screen.
func (*Talk) Shape(int, int) screen.Shape { return screen.Shape{} }

// Fit implements screen.Screen. The reader gets the rows above the panel.
func (p *Talk) Fit(f screen.Frame) []screen.Effect {
	p.frame = f
	if !f.Front || f.Layout.Body.H == 0 {
		return nil
	}
	effects := p.draw()
	if p.reader == nil {
		return effects
	}
	f.Layout.Body.H = max(f.Layout.Body.H-len(p.lines)-len(p.panel), 0)
	return append(effects, p.reader.Fit(f)...)
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
		n.Detail("Claude Code creates the transcript at the first prompt.")
		if len(p.messages) > 0 {
			n.Lines = nil
		}
		v.Title = render.NewLine(p.frame.Styles, p.frame.Width).To(1).Put(render.Strong, "New session").String()
		v.Body = n.Lines
	}
	v.Body = slices.Clone(v.Body[:min(len(v.Body), max(rows-len(p.lines), 0))])
	// A short conversation has blank lines at its end.
	for n := len(v.Body); len(p.lines) > 0 && n > 0 && strings.TrimSpace(ansi.Strip(v.Body[n-1])) == ""; n-- {
		v.Body = v.Body[:n-1]
	}
	v.Body = append(v.Body, p.lines...)
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
