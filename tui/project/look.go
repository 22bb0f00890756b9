package project

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	every = 2 * time.Second // between two looks at a project that changes
	stale = 5 * time.Second // git, the hooks and the memory tell nothing: it is looked at again after that
	tick  = time.Second     // between two looks at the clock: the page says how old it is
)

// Projects is what is known of a project.
type Projects interface {
	// Project looks at a directory, now.
	Project(ctx context.Context, dir string) (survey.Project, error)
}

// The answers of its commands.
type (
	lookedMsg struct {
		asked time.Time // when the look began
		facts survey.Project
		err   error
	}
	// slowMsg says that the first look has taken long enough to say so.
	slowMsg struct{}
	// dueMsg says that a change may be looked at.
	dueMsg struct{}
)

func look(ctx context.Context, projects Projects, dir string, now func() time.Time) screen.Cmd {
	return func() tea.Msg {
		asked := now()
		facts, err := projects.Project(ctx, dir)
		return lookedMsg{asked: asked, facts: facts, err: err}
	}
}

func (p *Page) wait(d time.Duration, msg tea.Msg) screen.Effect {
	return screen.Cmd(screen.After(p.ctx, d, func() tea.Msg { return msg }))
}

func (p *Page) nextTick() screen.Effect {
	now := p.opts.Now
	return screen.Cmd(screen.After(p.ctx, tick, func() tea.Msg { return screen.Second{Now: now()} }))
}

// ask has the project looked at. One look is on its way at a time.
func (p *Page) ask() []screen.Effect {
	if p.asking {
		p.again = true
		return nil
	}
	p.asking, p.again = true, false
	return []screen.Effect{look(p.ctx, p.opts.Projects, p.opts.Dir, p.opts.Now)}
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case lookedMsg:
		return p.looked(msg)
	case slowMsg:
		p.slow = p.facts == nil && p.err == nil
	case dueMsg:
		p.due = false
		return p.ask()
	case screen.Second:
		return p.ticked(msg.Now)
	case screen.Rows:
		p.renew()
		if p.isOf(msg.Came) || p.isOf(msg.Went) {
			return p.changed()
		}
	}
	return nil
}

func (p *Page) looked(msg lookedMsg) []screen.Effect {
	p.asking, p.asked = false, msg.asked
	p.arrived(msg.facts, msg.err)
	p.renew()
	effects := []screen.Effect{screen.Clock{Now: msg.facts.Checked}}
	if p.again {
		return append(effects, p.changed()...)
	}
	return effects
}

// ticked is called each second: the page says how old it is, and is looked at again when that is long ago.
func (p *Page) ticked(now time.Time) []screen.Effect {
	effects := []screen.Effect{screen.Clock{Now: now}, p.nextTick()}
	if p.frame.Awake && p.frame.Front && !p.asking && now.Sub(p.asked) >= stale {
		effects = append(effects, p.ask()...)
	}
	return effects
}

// changed has a project looked at that has changed, at most every two seconds.
func (p *Page) changed() []screen.Effect {
	if p.due {
		return nil
	}
	p.due = true
	return []screen.Effect{p.wait(every, dueMsg{})}
}

// isOf reports whether some of the rows are of the project.
func (p *Page) isOf(rows []sessions.Row) bool {
	return slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.Project == p.opts.Dir || r.Workdir == p.opts.Dir })
}
