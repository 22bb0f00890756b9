package survey

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// needs sets everything that needs the user's attention, most urgent first.
func (l *Look) needs(p *Project, mine []*sessions.Row) {
	saved := savedSessions(mine)
	found := map[NeedKind]*Need{}
	add := func(kind NeedKind, r *sessions.Row, more string) *Need {
		n := found[kind]
		if n == nil {
			n = &Need{Kind: kind, Path: r.Path, More: more}
			found[kind] = n
		} else if kind == NeedPending && n.N == 1 {
			n.More += ", " + more
		}
		n.N++
		return n
	}
	for _, r := range mine {
		switch {
		case r.Live != nil && r.Live.Status == sessions.StatusWaiting:
			more := r.Title()
			if what := transcript.CleanLine(r.Live.WaitingFor); what != "" {
				more = what + ", in " + more
			}
			add(NeedQuestion, r, words.Cut(more, pageText))
		case r.Kind == sessions.KindBackup && r.Pending:
			add(NeedPending, r, shortMoment(l.At.Now, r.When()))
		case r.Kind == sessions.KindBackup && r.Unseen:
			add(NeedUnseen, r, shortMoment(l.At.Now, r.When()))
		}
		if isPurged(r, saved) {
			if n := add(NeedPurge, r, ""); n.By.IsZero() || r.Purge.Before(n.By) {
				n.By, n.Path = r.Purge, r.Path
			}
		}
		if r.Missed(p.Dir) {
			add(NeedUnsaved, r, "ended "+words.Inside(l.At.Now, r.When()))
		}
	}
	l.hookNeed(p, found)
	for _, kind := range []NeedKind{
		NeedQuestion, NeedPending, NeedPurge, NeedUnsaved, NeedHooks, NeedUnseen,
	} {
		if n := found[kind]; n != nil {
			p.Needs = append(p.Needs, *n)
		}
	}
}

// tasks adds a need for open tasks without an active session. It has the newest task's gate, and how to resume this
// task.
func (l *Look) tasks(ctx context.Context, p *Project) {
	found, _ := sessions.InTime(ctx, pageLimit, func(ctx context.Context) []*task.Task {
		all, _ := TasksOf(ctx, Place{Dir: p.Dir, Ledger: ledger.Env{ProjectRoot: p.Dir}}) // without tasks, nothing needs attention
		return slices.DeleteFunc(all.All, func(t *task.Task) bool { return !t.Left() })
	})
	if len(found) == 0 {
		return
	}
	t := found[0]
	more := t.Slug + " at " + string(t.Gate())
	if how := t.Resume(); how != "" {
		more += ": " + how
	}
	p.Needs = append(p.Needs, Need{Kind: NeedTask, N: len(found), Task: t.Slug, More: words.Cut(transcript.CleanLine(more), pageText)})
}

// hookNeed adds a need with the names of hooks that don't run.
func (l *Look) hookNeed(p *Project, found map[NeedKind]*Need) {
	var names []string
	for i := range p.Hooks.Events {
		if h := &p.Hooks.Events[i]; h.State == HookFails {
			name := h.Event
			if !h.Fired.IsZero() {
				name += ", since " + words.DayInside(l.At.Now, h.Fired)
			}
			names = append(names, name)
		}
	}
	n := &Need{Kind: NeedHooks, N: len(names), More: strings.Join(names, "; ")}
	if p.Hooks.Bad && n.N == 0 {
		n.N, n.More = max(len(p.Hooks.Events), 1), p.Hooks.Trouble
	}
	if n.N > 0 {
		found[n.Kind] = n
	}
}

// shortMoment returns a short form of a time for lists, such as "Today 11:02" or "Oct 11".
func shortMoment(now, t time.Time) string {
	text := words.Moment(now, t)
	if strings.HasPrefix(text, "Today") || strings.HasPrefix(text, "Yesterday") || t.In(now.Location()).Year() != now.Year() {
		return text
	}
	return t.In(now.Location()).Format("Jan 2")
}
