// Package taskview shows the tasks of a project (spec 003): the list of tasks, and the sessions and checkpoints of the
// selected task.
package taskview

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Tasks reads the tasks of a project.
type Tasks interface {
	// Tasks reads the tasks of a folder. A folder without tasks isn't an error.
	Tasks(ctx context.Context, dir string) (survey.Tasks, error)
	// Snapshot reads the snapshot of a project, or returns nil.
	Snapshot(ctx context.Context, root string) *Snapshot
}

// Snapshot is the snapshot of a project (spec 004), and how the repository differs from it.
type Snapshot struct {
	*snapshot.Snapshot

	Drift snapshot.Drift
}

// Options configure the page.
type Options struct {
	Context context.Context // ends with the program
	Tasks   Tasks
	Now     func() time.Time
	// Newest returns the newest matching session in the given folders, or nil.
	Newest func(in []string, match func(*sessions.Row) bool) *sessions.Row
}

// stale is the age at which tasks are read again. Another program may have changed them.
const stale = 5 * time.Second

// Page is the screen of a project's tasks. It has no project before the first call of To.
type Page struct {
	opts    Options
	dir     string
	gen     int  // generation of the project, or 0
	shown   bool // the tab is shown
	ticking bool // a message of the clock is on its way
	ctx     context.Context
	cancel  context.CancelFunc
	f       screen.Frame

	facts  *facts // nil before the first answer
	err    error  // error of the last read
	slow   bool   // the first read is slow, so a message is shown
	asking bool   // the tasks are being read
	again  bool   // another read must follow the current one
	verify bool   // report the findings of the selected task after the read

	inside bool // the pane beside the list has the focus
	rail   rail
	chain  chain
}

// facts has the result of the last read.
type facts struct {
	survey.Tasks

	found    map[string][]task.Finding // by the name of the task
	snapshot *Snapshot                 // nil if there is none
}

// New returns a page that has no project yet.
func New(opts Options) *Page { return &Page{opts: opts} }

// To shows the tab for a project and reads its tasks. narrow means that there is no room for the pane.
func (p *Page) To(dir string, narrow bool) []screen.Effect {
	if p.gen == 0 || p.dir != dir {
		if p.gen > 0 {
			p.cancel()
		}
		*p = Page{opts: p.opts, dir: dir, gen: p.gen + 1, ticking: p.ticking, f: p.f}
		p.rail.List = blocks.List{Items: &p.rail, At: -1}
		p.chain.List = blocks.List{Items: &p.chain, At: -1, Text: true}
		p.ctx, p.cancel = context.WithCancel(p.opts.Context)
	}
	p.shown, p.inside = true, p.inside && !narrow
	gen := p.gen
	effects := append(p.ask(nil), screen.Cmd(screen.After(p.ctx, screen.Quiet, func() tea.Msg { return slowMsg{gen} })))
	if !p.ticking {
		effects = append(effects, p.nextTick())
	}
	return effects
}

// Select selects a task, after a running read.
func (p *Page) Select(slug string) {
	p.rail.sel, p.inside = slug, false
	p.fit()
}

// Left is called when another tab is shown.
func (p *Page) Left() { p.shown = false }

// Open implements screen.Screen. It does nothing, because To reads the tasks.
func (p *Page) Open() []screen.Effect { return nil }

// Reopened implements screen.Reopened.
func (p *Page) Reopened() []screen.Effect { return p.ask(nil) }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect { return nil }

// Subject implements screen.Screen. Its row is the newest session of the selected task, if the lists have it.
func (p *Page) Subject() screen.Subject {
	s := screen.Subject{Dir: p.dir}
	if t := p.selected(); t != nil && t.Newest() != nil && t.Newest().ClaudeID != "" {
		id := t.Newest().ClaudeID
		s.Row = p.opts.Newest([]string{p.dir, t.Root}, func(r *sessions.Row) bool { return r.ID == id })
	}
	return s
}

type (
	lookedMsg struct {
		gen   int
		facts *facts
		at    time.Time
		err   error
	}
	// slowMsg is sent if the first read takes long.
	slowMsg struct{ gen int }
)

// ask reads the tasks. It reads the snapshot if snap is nil. Only one read runs at a time.
func (p *Page) ask(snap *Snapshot) []screen.Effect {
	switch {
	case p.gen == 0:
		return nil
	case p.asking:
		p.again = true
		return nil
	}
	p.asking, p.again = true, false
	ctx, tasks, dir, gen, now := p.ctx, p.opts.Tasks, p.dir, p.gen, p.opts.Now
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		all, err := tasks.Tasks(ctx, dir)
		f := &facts{Tasks: all, found: map[string][]task.Finding{}, snapshot: snap}
		if snap == nil && err == nil {
			f.snapshot = tasks.Snapshot(ctx, all.Root)
		}
		for _, t := range all.All {
			f.found[t.Slug] = t.Verify()
		}
		return lookedMsg{gen, f, now(), err}
	})}
}

func (p *Page) nextTick() screen.Effect {
	p.ticking = true
	now := p.opts.Now
	return screen.Cmd(screen.After(p.opts.Context, stale, func() tea.Msg { return screen.Second{Now: now()} }))
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case lookedMsg:
		if msg.gen == p.gen {
			return p.looked(msg)
		}
	case slowMsg:
		if msg.gen == p.gen {
			p.slow = p.facts == nil && p.err == nil
		}
	case screen.Second:
		if p.ticking = false; !p.shown {
			return nil
		}
		effects := []screen.Effect{screen.Clock(msg), p.nextTick()}
		if p.f.Awake && p.f.Front && !p.asking {
			effects = append(effects, p.ask(p.snapshot())...)
		}
		return effects
	case screen.Changed, screen.Back:
		return p.ask(nil)
	}
	return nil
}

// looked stores the result of a read. After an error, the previous tasks stay visible.
func (p *Page) looked(msg lookedMsg) []screen.Effect {
	p.asking, p.slow = false, false
	var effects []screen.Effect
	if p.err = msg.err; msg.err == nil {
		p.facts = msg.facts
		effects = append(effects, screen.HasTasks{Dir: p.dir, Count: len(p.facts.All)}, screen.Clock{Now: msg.at})
	}
	if p.again {
		return append(effects, p.ask(nil)...)
	}
	if p.verify && p.err == nil {
		effects = append(effects, p.verified())
	}
	p.verify = false
	return effects
}

// snapshot returns the last snapshot, or nil. The clock's reads reuse it, because comparing it runs git.
func (p *Page) snapshot() *Snapshot {
	if p.facts == nil {
		return nil
	}
	return p.facts.snapshot
}

// selected returns the selected task, or nil.
func (p *Page) selected() *task.Task {
	if p.facts == nil {
		return nil
	}
	return p.facts.Find(p.rail.sel)
}
