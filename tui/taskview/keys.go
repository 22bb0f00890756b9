package taskview

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of this screen.
const (
	enter    = "enter"
	goOn     = "continue"
	copyText = "copy-text"
	verify   = "verify-task"
	beside   = "beside" // moves to the list (-1) or to the pane (1)
)

// Name implements screen.Screen.
func (p *Page) Name() string { return "Tasks" }

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	do := func(name string) screen.Intent { return screen.Intent{Name: name} }
	t := p.selected()
	has := func(b screen.Binding) screen.Binding {
		b.Gone, b.Needed = t == nil, "there is no task"
		return b
	}
	word, start, gate, off := "open", "continue", "", ""
	if p.inside {
		word = "read the checkpoint"
		if p.chain.brief() != nil {
			word = "read the brief"
		}
		if p.chain.open[p.chain.sel] {
			word = "fold"
		}
	}
	switch {
	case t == nil:
	case p.onBrief():
		start = "start a fixer"
	default:
		if off = whyNotContinue(t); off == "" {
			gate = " from " + clean(string(t.Gate()))
		}
	}
	return slices.Concat([]screen.Binding{
		has(screen.Binding{Keys: []string{"enter", "z"}, Show: "enter", Label: "open", As: word, Help: "go in, read the checkpoint", Group: screen.GroupThis, Do: do(enter), Off: p.whyNotEnter()}),
		has(screen.Binding{Name: screen.Resume, Keys: []string{"r"}, Show: "r", Label: "continue", As: start, More: gate, Help: "continue the task in a new session, or start a fixer in plan mode", Group: screen.GroupThis, Do: do(goOn), Off: off, Needs: screen.NeedsLedgers}),
		has(screen.Binding{Name: "verify", Keys: []string{"V"}, Show: "V", Label: "verify", Help: "verify the sessions, checkpoints and index", Group: screen.GroupThis, Do: do(verify)}),
		{Show: "esc", Label: "tasks", Gone: t == nil || !p.f.Layout.Flipped},
		has(screen.Binding{Name: "copy", Keys: []string{"y"}, Show: "y", Label: "copy", Help: "copy as text", Group: screen.GroupThis, Do: do(copyText), Needs: screen.NeedsActions}),
	}, screen.Common(screen.Recover, screen.OpenHandover, screen.Facts, screen.NextTab, screen.LastTab), []screen.Binding{
		has(screen.Binding{Show: "← → h l", Help: "tasks, checkpoints", Group: screen.GroupMove}),
		{Keys: []string{"left", "h"}, Do: screen.Intent{Name: beside, N: -1}},
		{Keys: []string{"right", "l"}, Do: screen.Intent{Name: beside, N: 1}},
		{Keys: []string{"esc"}, Show: "esc", Help: "back, close, clear", Group: screen.GroupEverywhere, Do: do(screen.Clear)},
		{Name: "back", Keys: []string{"q"}, Show: "q", Help: "back, then quit", Group: screen.GroupEverywhere, Do: do(screen.Leave)},
	}, screen.Common(screen.Project, screen.LeftToUndo, screen.Fresh, screen.Undo, screen.UndoList, screen.Search, screen.Palette, screen.Help,
		screen.Suspend, screen.Quit), screen.Movement("task, checkpoint"))
}

func (p *Page) whyNotEnter() string {
	if p.inside && p.chain.At < 0 {
		return "the task has no checkpoint"
	}
	return ""
}

// whyNotContinue returns the reason why a task can't be continued, or "".
func whyNotContinue(t *task.Task) string {
	switch s := t.Newest(); {
	case t.State() == task.Completed:
		return "the task is complete"
	case s != nil && (s.State == task.Active || s.State == task.Init):
		return "session " + clean(s.ID) + " is " + string(s.State)
	}
	return ""
}

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	rows := max(p.f.Layout.Body.H, 2)
	switch do.Name {
	case screen.Move:
		p.move(do.N)
	case screen.Page:
		p.page(do.N * (rows - 1))
	case screen.Half:
		p.page(do.N * (rows / 2))
	case screen.ToEnd:
		if p.inside {
			p.chain.ToEnd(do.N)
		} else {
			p.rail.ToEnd(do.N)
			p.fit()
		}
	case screen.Clear, screen.Leave:
		switch {
		case p.inside:
			p.inside = false
		case do.Name == screen.Leave:
			return []screen.Effect{screen.Do{Intent: screen.Intent{Name: screen.Quit}}}
		default:
			return []screen.Effect{screen.Pop{}}
		}
	case screen.Fresh:
		return append(p.ask(nil), screen.Reload{})
	case enter:
		if p.inside {
			p.chain.fold()
		}
		p.inside = p.selected() != nil
	case beside:
		p.inside = do.N > 0 && p.selected() != nil
	case verify:
		p.verify = true
		return p.ask(p.snapshot())
	case goOn:
		return p.goOn()
	case copyText:
		return p.copyIt()
	}
	return nil
}

func (p *Page) move(n int) {
	if p.inside {
		p.chain.Move(n)
		return
	}
	p.rail.Move(n)
	p.fit()
}

func (p *Page) page(n int) {
	if p.inside {
		p.chain.Scroll(n)
		return
	}
	p.move(n)
}

// newest is the number of checkpoints in the prompt that continues a task.
const newest = 2

// onBrief reports whether the brief for a fixer is selected in the focused pane.
func (p *Page) onBrief() bool { return p.inside && p.chain.brief() != nil }

// goOn starts a session with the newest checkpoints or, in plan mode, with the selected brief.
func (p *Page) goOn() []screen.Effect {
	t := p.selected()
	if p.onBrief() {
		b := p.chain.brief()
		r := recovery.Result{Text: b.Text, From: []string{"the brief for a fixer of the task " + t.Slug + " (" + b.File + ")"}}
		return []screen.Effect{screen.Take{Dir: p.dir, Result: r, How: screen.TakePlan}}
	}
	var b strings.Builder
	b.WriteString("Continue the task " + t.Slug + " at gate " + string(t.Gate()) + ". Begin with the startup ritual:\n\n    continuo task start --task " + t.Slug + "\n")
	last := t.Checkpoints[max(len(t.Checkpoints)-newest, 0):]
	for _, c := range slices.Backward(last) {
		b.WriteString("\n" + strings.TrimSpace(c.Text()) + "\n")
	}
	from := "the newest " + words.Counted(len(last), "checkpoint", "checkpoints") + " of the task " + t.Slug
	return []screen.Effect{screen.Take{Dir: p.dir, Result: recovery.Result{Text: b.String(), From: []string{from}}, How: screen.TakeSession}}
}

// copyIt copies the selected checkpoint or brief, or the name of the selected task.
func (p *Page) copyIt() []screen.Effect {
	if !p.inside || p.chain.At < 0 {
		return []screen.Effect{screen.Copy{Name: "the name of the task", Text: p.selected().Slug}}
	}
	if b := p.chain.brief(); b != nil {
		return []screen.Effect{screen.Copy{Name: "the brief", Text: b.Text}}
	}
	return []screen.Effect{screen.Copy{Name: "the checkpoint", Text: p.chain.items[p.chain.At].checkpoint().Text()}}
}
