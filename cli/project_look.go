package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// git asks git for the state of the repository. Where it does not answer only the branch is known, from .git itself.
func (l *projectLook) git(ctx context.Context, p *survey.Project) {
	type entry struct {
		there  bool
		branch string
		trees  []string
	}
	e, _ := sessions.InTime(ctx, pageLimit, func(context.Context) entry {
		_, err := os.Lstat(p.Dir + "/.git")
		if err != nil {
			return entry{}
		}
		return entry{true, branchOf(p.Dir), sessions.Worktrees(sessions.Disk(), p.Dir)}
	})
	if !e.there {
		return
	}
	there := sessions.AskAll(ctx, time.Now().Add(knownWait), slices.DeleteFunc(e.trees, func(dir string) bool { return !isKnown(dir) }),
		func(_ context.Context, dir string) bool {
			_, err := os.Lstat(dir)
			return err == nil
		})
	for _, is := range there {
		if is {
			p.Trees++
		}
	}
	p.Git = &survey.Repo{Branch: transcript.CleanLine(e.branch)}
	limited, cancel := context.WithTimeout(ctx, trackedLimit)
	defer cancel()
	out, err := l.d.gitStatus(limited, p.Dir, "--porcelain=v2", "--branch", "-z")
	if err == nil {
		gitStatus(p.Git, out)
	}
}

// gitStatus reads what git status --porcelain=v2 --branch -z prints.
func gitStatus(g *survey.Repo, out string) {
	g.Known = true
	from := false // the next entry is where a file was before
	for entry := range strings.SplitSeq(out, "\x00") {
		if from {
			from = false
			continue
		}
		kind, rest, _ := strings.Cut(entry, " ")
		switch kind {
		case "#":
			name, value, _ := strings.Cut(rest, " ")
			switch name {
			case "branch.head":
				if value != "(detached)" {
					g.Branch = transcript.CleanLine(value)
				}
			case "branch.ab":
				ahead, behind, _ := strings.Cut(value, " ")
				g.Ahead, _ = strconv.Atoi(strings.TrimPrefix(ahead, "+"))
				g.Behind, _ = strconv.Atoi(strings.TrimPrefix(behind, "-"))
			}
		case "1", "u", "?":
			g.Changed++
		case "2":
			g.Changed++
			from = true
		}
	}
}

// hooks says of each event whether it fires.
func (l *projectLook) hooks(ctx context.Context, p *survey.Project, mine []*sessions.Row) {
	type answer struct {
		facts  hookFacts
		checks []check
		events []check
	}
	at := *l.d
	at.dir = p.Dir // else those of the project that continuo was started in
	a, ok := sessions.InTime(ctx, pageLimit, func(ctx context.Context) answer {
		var missed []time.Time
		for _, r := range mine {
			if isMissed(r, p.Dir) {
				missed = append(missed, r.Last)
			}
		}
		f := at.hookFacts(ctx, l.dirs, survey.MemoryOf(ctx, p.Dir, at.home), missed)
		a := answer{facts: f, checks: at.settingsChecks(&f)}
		if len(f.settings.Sites) > 0 {
			for _, event := range hook.Events() {
				a.events = append(a.events, at.eventCheck(&f, event))
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
		if c.State == verdictFinding || h.Trouble == "" {
			h.Trouble, h.Bad, h.Run = l.clean(c.Name+" "+c.Text), c.State == verdictFinding, "continuo doctor hooks"
		}
		if h.Bad {
			break
		}
	}
	switch {
	case len(f.settings.Sites) > 0:
		for i, event := range hook.Events() {
			h.Events = append(h.Events, l.hook(f, event, &a.events[i]))
		}
	case h.Trouble != "":
	case f.others != "":
		h.Trouble, h.Run = "hooks are scripts that continuo did not write", "continuo init --help"
	default:
		h.Trouble, h.Run = "none, so nothing is kept when a session ends", "continuo init"
	}
}

// hook is what is known of one event.
func (l *projectLook) hook(f *hookFacts, event string, c *check) survey.Hook {
	h := survey.Hook{Event: eventName(event), State: survey.HookWaits, Fired: f.fired[event].Last.Time}
	at := slices.IndexFunc(f.settings.Sites, func(s hook.Site) bool { return !slices.Contains(s.Missing, event) })
	if at < 0 {
		h.State = survey.HookMissing
		return h
	}
	site := &f.settings.Sites[at]
	h.Since = site.Since
	switch c.State {
	case verdictFinding:
		h.State, h.Why = survey.HookFails, l.clean(c.Text)
		if broken, _ := l.d.brokenProgram(site, event); broken == "" && event == hook.EventEnd {
			for _, last := range f.missed {
				if last.After(h.Fired) && last.After(h.Since) {
					h.Ended++
				}
			}
		}
	case verdictWarning:
		h.State, h.Why = survey.HookWarns, l.clean(c.Text)
	case verdictOK:
		h.State = survey.HookFires
	case verdictNote:
	}
	return h
}

// needs are what waits for the person, the most urgent first.
func (l *projectLook) needs(p *survey.Project, mine []*sessions.Row) {
	saved := savedSessions(mine)
	found := map[survey.NeedKind]*survey.Need{}
	add := func(kind survey.NeedKind, r *sessions.Row, more string) *survey.Need {
		n := found[kind]
		if n == nil {
			n = &survey.Need{Kind: kind, Path: r.Path, More: more}
			found[kind] = n
		} else if kind == survey.NeedPending && n.N == 1 {
			n.More += ", " + more
		}
		n.N++
		return n
	}
	for _, r := range mine {
		switch {
		case r.Live != nil && r.Live.Status == sessions.StatusWaiting:
			more := render.Title(r)
			if what := transcript.CleanLine(r.Live.WaitingFor); what != "" {
				more = what + ", in " + more
			}
			add(survey.NeedQuestion, r, render.Cut(more, pageText))
		case r.Kind == sessions.KindBackup && r.Pending:
			add(survey.NeedPending, r, shortMoment(l.now, r.When()))
		case r.Kind == sessions.KindBackup && r.Unseen:
			add(survey.NeedUnseen, r, shortMoment(l.now, r.When()))
		}
		if isPurged(r, saved) {
			if n := add(survey.NeedPurge, r, ""); n.By.IsZero() || r.Purge.Before(n.By) {
				n.By, n.Path = r.Purge, r.Path
			}
		}
		if isMissed(r, p.Dir) {
			add(survey.NeedUnsaved, r, "ended "+l.d.moment(r.When()))
		}
	}
	l.hookNeed(p, found)
	for _, kind := range []survey.NeedKind{
		survey.NeedQuestion, survey.NeedPending, survey.NeedPurge, survey.NeedUnsaved, survey.NeedHooks, survey.NeedUnseen,
	} {
		if n := found[kind]; n != nil {
			p.Needs = append(p.Needs, *n)
		}
	}
}

// hookNeed says which hooks do not fire.
func (l *projectLook) hookNeed(p *survey.Project, found map[survey.NeedKind]*survey.Need) {
	var names []string
	for i := range p.Hooks.Events {
		if h := &p.Hooks.Events[i]; h.State == survey.HookFails {
			name := h.Event
			if !h.Fired.IsZero() {
				name += ", since " + l.d.day(h.Fired)
			}
			names = append(names, name)
		}
	}
	n := &survey.Need{Kind: survey.NeedHooks, N: len(names), More: strings.Join(names, "; ")}
	if p.Hooks.Bad && n.N == 0 {
		n.N, n.More = max(len(p.Hooks.Events), 1), p.Hooks.Trouble
	}
	if n.N > 0 {
		found[n.Kind] = n
	}
}

// shortMoment is a time beside others: "Today 11:02", "Oct 11".
func shortMoment(now, t time.Time) string {
	text := render.Moment(now, t)
	if strings.HasPrefix(text, "Today") || strings.HasPrefix(text, "Yesterday") || t.In(now.Location()).Year() != now.Year() {
		return text
	}
	return t.In(now.Location()).Format("Jan 2")
}

// kept counts what lies beside the sessions.
func (l *projectLook) kept(ctx context.Context, p *survey.Project, mine []*sessions.Row) {
	backups, documents := survey.Kept{Name: "Backups"}, survey.Kept{Name: "Documents"}
	folders := []string{p.Dir}
	for _, r := range mine {
		k := &backups
		switch r.Kind {
		case sessions.KindSession:
			continue
		case sessions.KindDocument:
			if k = &documents; isMemory(r) {
				k = new(survey.Kept) // the page weighs it elsewhere
			}
		case sessions.KindBackup:
		}
		k.Files++
		k.Bytes += r.Bytes
		if r.When().After(k.Newest) {
			k.Newest = r.When()
		}
		if isKnown(r.Workdir) && !slices.Contains(folders, r.Workdir) {
			folders = append(folders, r.Workdir)
		}
	}
	type answer struct {
		trash survey.Kept
		err   error
	}
	trash := survey.Kept{Name: "Trash"}
	for folder, a := range sessions.AskAll(ctx, time.Now().Add(pageLimit), folders, func(ctx context.Context, folder string) answer {
		k, err := trashOf(ctx, folder)
		return answer{k, err}
	}) {
		trash.Files += a.trash.Files
		trash.Bytes += a.trash.Bytes
		if a.trash.Newest.After(trash.Newest) {
			trash.Newest = a.trash.Newest
		}
		if folder == p.Dir {
			l.unread(p, a.err)
		}
	}
	for _, k := range []survey.Kept{backups, documents, trash} {
		if cmp.Or(backups.Files, documents.Files, trash.Files) > 0 {
			p.Kept = append(p.Kept, k)
		}
	}
}

// trashOf counts the backups in the trash of a folder.
func trashOf(ctx context.Context, folder string) (survey.Kept, error) {
	var k survey.Kept
	m, err := backup.OpenMemory(folder)
	if errors.Is(err, backup.ErrNoMemory) {
		return k, nil
	}
	if err != nil {
		return k, err
	}
	defer func() { _ = m.Close() }() // it was only read
	e, err := m.PlanEmpty(ctx)
	k.Files, k.Bytes = e.Files, e.Bytes
	if len(e.Deeds) > 0 && e.Files > 0 {
		k.Newest = e.Deeds[0].At
	}
	return k, err
}
