package survey

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/transcript"
)

// git asks git for the state of the repository. Where it does not answer only the branch is known, from .git itself.
func (l *Look) git(ctx context.Context, p *Project) {
	type entry struct {
		there  bool
		branch string
		trees  []string
	}
	e, _ := sessions.InTime(ctx, pageLimit, func(context.Context) entry {
		if !sessions.Exists(p.Dir + "/.git") {
			return entry{}
		}
		return entry{true, sessions.Branch(p.Dir), sessions.Worktrees(sessions.Disk(), p.Dir)}
	})
	if !e.there {
		return
	}
	there := sessions.AskAll(ctx, time.Now().Add(folderLimit), slices.DeleteFunc(e.trees, func(dir string) bool { return !sessions.IsPlainPath(dir) }),
		func(_ context.Context, dir string) bool { return sessions.Exists(dir) })
	for _, is := range there {
		if is {
			p.Trees++
		}
	}
	p.Git = &Repo{Branch: transcript.CleanLine(e.branch)}
	limited, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	out, err := l.Git(limited, p.Dir, "--porcelain=v2", "--branch", "-z")
	if err == nil {
		gitStatus(p.Git, out)
	}
}

// gitStatus reads what git status --porcelain=v2 --branch -z prints.
func gitStatus(g *Repo, out string) {
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
func (l *Look) hooks(ctx context.Context, p *Project, mine []*sessions.Row) {
	type answer struct {
		facts  HookFacts
		checks []Check
		events []Check
	}
	a, ok := sessions.InTime(ctx, pageLimit, func(ctx context.Context) answer {
		at := l.Hooks(MemoryOf(ctx, p.Dir, l.At.Home))
		at.Dir = p.Dir // else the hooks of the project that the command runs in
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
		h.Trouble, h.Run = "hooks are scripts that continuo did not write", "continuo init --help"
	default:
		h.Trouble, h.Run = "none, so nothing is kept when a session ends", "continuo init"
	}
}

// hook is what is known of one event.
func (l *Look) hook(f *HookFacts, event string, c *Check) Hook {
	h := Hook{Event: hook.EventName(event), State: HookWaits, Fired: f.Fired[event].Last.Time}
	at := slices.IndexFunc(f.Settings.Sites, func(s hook.Site) bool { return !slices.Contains(s.Missing, event) })
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

// needs are what waits for the person, the most urgent first.
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

// hookNeed says which hooks do not fire.
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

// shortMoment is a time beside others: "Today 11:02", "Oct 11".
func shortMoment(now, t time.Time) string {
	text := words.Moment(now, t)
	if strings.HasPrefix(text, "Today") || strings.HasPrefix(text, "Yesterday") || t.In(now.Location()).Year() != now.Year() {
		return text
	}
	return t.In(now.Location()).Format("Jan 2")
}

// kept counts what lies beside the sessions.
func (l *Look) kept(ctx context.Context, p *Project, mine []*sessions.Row) {
	backups, documents := Kept{Name: "Backups"}, Kept{Name: "Documents"}
	folders := []string{p.Dir}
	for _, r := range mine {
		k := &backups
		switch r.Kind {
		case sessions.KindSession:
			continue
		case sessions.KindDocument:
			if k = &documents; r.Kind == sessions.KindDocument && !r.Archived() {
				k = new(Kept) // the page weighs it elsewhere
			}
		case sessions.KindBackup:
		}
		k.Files++
		k.Bytes += r.Bytes
		if r.When().After(k.Newest) {
			k.Newest = r.When()
		}
		if sessions.IsPlainPath(r.Workdir) && !slices.Contains(folders, r.Workdir) {
			folders = append(folders, r.Workdir)
		}
	}
	type answer struct {
		trash Kept
		err   error
	}
	trash := Kept{Name: "Trash"}
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
	for _, k := range []Kept{backups, documents, trash} {
		if cmp.Or(backups.Files, documents.Files, trash.Files) > 0 {
			p.Kept = append(p.Kept, k)
		}
	}
}

// trashOf counts the backups in the trash of a folder.
func trashOf(ctx context.Context, folder string) (Kept, error) {
	var k Kept
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
