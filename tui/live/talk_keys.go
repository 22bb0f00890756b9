package live

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of a Talk.
const (
	write     = "write"
	answer    = "answer"
	interrupt = "interrupt"
	endIt     = "end-session"
	send      = "send"
	history   = "earlier-prompt" // N is -1 for the previous prompt, 1 for the next one
	readOn    = "read-on"
	setUp     = "mode"
)

// Name implements screen.Screen.
func (*Talk) Name() string { return "Driven session" }

// Keys implements screen.Screen.
func (p *Talk) Keys() []screen.Binding {
	ended, idle := p.state.Status == keeper.StatusEnded, ""
	if p.state.Status != keeper.StatusBusy && p.state.Status != keeper.StatusWaiting {
		idle = "no turn is running"
	}
	stop := screen.Binding{Name: "interrupt", Keys: []string{"ctrl+x"}, Show: "ctrl+x", Label: "interrupt", Help: "interrupt the turn", Group: screen.GroupThis, Do: screen.Intent{Name: interrupt}, Off: idle}
	if p.writing {
		label := "send"
		if idle == "" {
			label = "queue"
		}
		if p.edit != nil {
			return slices.Concat([]screen.Binding{
				{Keys: []string{"enter"}, Show: "enter", Label: "done, ask me again", Help: "show the question with the change", Group: screen.GroupThis, Do: screen.Intent{Name: send}},
				{Show: "ctrl+j", Label: "new line", Help: "new line", Group: screen.GroupThis},
				{Keys: []string{"up"}, Do: screen.Intent{Name: history, N: -1}},
				{Keys: []string{"down"}, Do: screen.Intent{Name: history, N: 1}},
				{Keys: []string{"esc"}, Show: "esc", Label: "discard the change", Help: "discard the change", Group: screen.GroupThis, Do: screen.Intent{Name: readOn}},
			}, screen.Typing())
		}
		return slices.Concat([]screen.Binding{
			{Keys: []string{"enter"}, Show: "enter", Label: label, Help: "send", Group: screen.GroupThis, Do: screen.Intent{Name: send}},
			{Show: "ctrl+j", Label: "new line", Help: "new line", Group: screen.GroupThis},
			{Keys: []string{"up"}, Show: "↑ ↓", Label: "earlier prompts", Help: "earlier prompts", Group: screen.GroupThis, Do: screen.Intent{Name: history, N: -1}},
			{Keys: []string{"down"}, Do: screen.Intent{Name: history, N: 1}},
			stop,
			{Keys: []string{"shift+tab"}, Show: "shift+tab", Help: "permission mode and model", Group: screen.GroupThis, Do: screen.Intent{Name: setUp}},
			{Keys: []string{"esc"}, Show: "esc", Label: "read, answer", Help: "leave the composer", Group: screen.GroupThis, Do: screen.Intent{Name: readOn}},
		}, screen.Typing())
	}
	leave := screen.Binding{Name: "end-session", Keys: []string{"Q"}, Show: "Q", Label: "end", Help: "end the session", Group: screen.GroupThis, Do: screen.Intent{Name: endIt}, Gone: ended, Needed: "the session has ended"}
	if p.opts.Keeper { // Q only detaches; the dialog of m ends the session
		leave.Label, leave.Help, leave.Do = "detach", "close continuo; the session goes on", screen.Intent{Name: screen.Quit}
	}
	own := []screen.Binding{
		{Name: "answer", Keys: []string{"A"}, Show: "A", Label: "answer", Help: "answer the question", Group: screen.GroupThis, Do: screen.Intent{Name: answer}, Gone: p.asks() == nil, Needed: "no question is open"},
		{Name: "write", Keys: []string{">"}, Show: ">", Label: "write", Help: "write a prompt", Group: screen.GroupThis, Do: screen.Intent{Name: write}, Gone: ended, Needed: "the session has ended"},
		stop,
		{Name: "mode", Keys: []string{"m"}, Show: "m", Label: "mode", Help: "permission mode and model", Group: screen.GroupThis, Do: screen.Intent{Name: setUp}, Gone: ended, Needed: "the session has ended"},
		leave,
	}
	if p.reader == nil {
		return slices.Concat(own, []screen.Binding{
			{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "back", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Clear}},
		}, screen.Common(screen.Help, screen.Quit))
	}
	return append(own, p.reader.Keys()...)
}

// Do implements screen.Screen.
func (p *Talk) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case write:
		p.writing = true
	case readOn:
		p.stopEdit()
		p.writing = false
	case send:
		if p.edit != nil {
			return p.finishEdit()
		}
		return p.send()
	case setUp:
		return p.askMode()
	case history:
		p.recall(do.N)
	case answer:
		return p.question()
	case interrupt:
		id, source := p.opts.ID, p.opts.Source
		return p.call(func(ctx context.Context) error { return source.Interrupt(ctx, id) })
	case endIt:
		return p.askEnd()
	case screen.EraseWord, screen.EraseAll:
		p.in.Type(screen.EraseKey(do))
	default:
		if p.reader != nil {
			return p.reader.Do(do)
		}
		return []screen.Effect{screen.Pop{}}
	}
	return nil
}

// call sends a request to the session, and shows its error.
func (p *Talk) call(do func(ctx context.Context) error) []screen.Effect {
	ctx := p.ctx
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			return failedMsg{err}
		}
		return nil
	})}
}

type failedMsg struct{ err error }

func (p *Talk) send() []screen.Effect {
	text := strings.TrimSpace(p.in.Text())
	if text == "" {
		return nil
	}
	p.earlier = append(p.earlier, text)
	p.set("")
	p.at = len(p.earlier)
	id, source := p.opts.ID, p.opts.Source
	return p.call(func(context.Context) error { return source.Send(id, text) })
}

// set replaces the text of the composer.
func (p *Talk) set(text string) {
	p.in.Set(text)
}

// recall moves the cursor through the lines of the composer. Beyond them are the earlier and later prompts.
func (p *Talk) recall(step int) {
	line, _ := p.in.Cursor()
	if lines := strings.Count(p.in.Text(), "\n"); step < 0 && line > 0 || step > 0 && line < lines {
		code := tea.KeyUp
		if step > 0 {
			code = tea.KeyDown
		}
		p.in.Type(tea.KeyPressMsg{Code: code})
		return
	}
	to := p.at + step
	switch {
	case p.edit != nil, to < 0 || to > len(p.earlier):
		return
	case to == len(p.earlier):
		p.set("")
	default:
		p.set(p.earlier[to])
	}
	p.at = to
}

// Typed implements screen.Typed.
func (p *Talk) Typed(msg tea.Msg) []screen.Effect {
	if p.writing {
		p.in.Type(msg)
		return nil
	}
	if t, ok := p.reader.(screen.Typed); ok {
		return t.Typed(msg)
	}
	return nil
}

// Click implements screen.Screen.
func (p *Talk) Click(x, y int) []screen.Effect {
	if p.reader == nil {
		return nil
	}
	return p.reader.Click(x, y)
}

// Wheel implements screen.Screen.
func (p *Talk) Wheel(x, y, rows int) []screen.Effect {
	if p.reader == nil {
		return nil
	}
	return p.reader.Wheel(x, y, rows)
}

// Subject implements screen.Screen.
func (p *Talk) Subject() screen.Subject {
	if p.reader == nil {
		return screen.Subject{}
	}
	return p.reader.Subject()
}
