package survey

import (
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// hooks sets the state of the hooks, one for each event.
func (l *Look) hooks(ctx context.Context, p *Project, mine []*sessions.Row) {
	type answer struct {
		facts  HookFacts
		checks []Check
		events []Check
	}
	a, ok := sessions.InTime(ctx, pageLimit, func(ctx context.Context) answer {
		at := l.Hooks(MemoryOf(ctx, p.Dir, l.At.Home))
		at.Dir = p.Dir // the project of the page may not be the current directory
		var missed []time.Time
		for _, r := range mine {
			if r.Missed(p.Dir) {
				missed = append(missed, r.Last)
			}
		}
		f := HooksOf(ctx, at, missed)
		a := answer{facts: f, checks: f.settingsChecks()}
		if len(f.Settings.Sites) > 0 {
			for _, event := range hook.Events() {
				a.events = append(a.events, f.eventCheck(event))
			}
		}
		return a
	})
	if !ok {
		p.NotKnown = append(p.NotKnown, "hooks")
		return
	}
	f, h := &a.facts, &p.Hooks
	for _, c := range a.checks {
		if c.State == VerdictFinding || h.Trouble == "" {
			h.Trouble, h.Bad, h.Run = l.clean(c.Name+" "+c.Text), c.State == VerdictFinding, "continuo doctor hooks"
		}
		if h.Bad {
			break
		}
	}
	switch {
	case len(f.Settings.Sites) > 0:
		for i, event := range hook.Events() {
			h.Events = append(h.Events, l.hook(f, event, &a.events[i]))
		}
	case h.Trouble != "":
	case f.Others != "":
		h.Trouble, h.Run = "hooks are scripts from another source", "continuo init --help"
	default:
		h.Trouble, h.Run = "not installed, so no backup is made when a session ends", "continuo init"
	}
}

// hook returns the state of the hook of one event.
func (l *Look) hook(f *HookFacts, event string, c *Check) Hook {
	h := Hook{Event: hook.EventName(event), State: HookWaits, Fired: f.Fired[event].Last.Time}
	at := slices.IndexFunc(f.Settings.Sites, func(s setup.Site) bool { return !slices.Contains(s.Missing, event) })
	if at < 0 {
		h.State = HookMissing
		return h
	}
	site := &f.Settings.Sites[at]
	h.Since = site.Since
	switch c.State {
	case VerdictFinding:
		h.State, h.Why = HookFails, l.clean(c.Text)
		if broken, _ := f.BrokenProgram(site, event); broken == "" && event == hook.EventEnd {
			for _, last := range f.Missed {
				if last.After(h.Fired) && last.After(h.Since) {
					h.Ended++
				}
			}
		}
	case VerdictWarning:
		h.State, h.Why = HookWarns, l.clean(c.Text)
	case VerdictOK:
		h.State = HookFires
	case VerdictNote:
	}
	return h
}
