package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	pageLimit    = time.Second     // for one look at what may be on a disk that hangs
	pageTalk     = 5 * time.Second // for the newest session: its file is scanned once
	pageSessions = 6
	pageLines    = 16  // next steps that are kept
	pageText     = 500 // cells of a text
)

// projectLook is one look at a project.
type projectLook struct {
	d       *deps
	src     source
	dirs    []string // Claude config dirs
	rows    []sessions.Row
	problem error     // what could not be listed
	listed  time.Time // when rows were listed that can be older than this look; zero is now
	exact   bool      // the rows are quick ones: the figures of those that are shown are taken here
	now     time.Time
}

// root is the project that a directory belongs to. The error is a failure in two sentences: it is none, or it cannot be
// looked at.
func (l *projectLook) root(ctx context.Context, dir string) (string, error) {
	d := l.d
	switch folder := sessions.ProbeFolder(ctx, dir); folder.State {
	case sessions.FolderThere:
	case sessions.FolderGone:
		if slices.ContainsFunc(l.rows, func(r sessions.Row) bool { return within(r.Project, dir) || within(r.Workdir, dir) }) {
			return "", &failure{code: ExitNone, what: "The folder " + d.tilde(dir) + " is gone. Its sessions are in the list."}
		}
		return "", &failure{code: ExitNone, what: "There is no folder " + d.tilde(dir) + ". Check the path."}
	case sessions.FolderFile:
		return "", &failure{what: d.tilde(dir) + " is no folder. Name that of a project."}
	case sessions.FolderDenied:
		return "", &failure{what: d.tilde(dir) + " cannot be read: permission denied. Check its mode."}
	case sessions.FolderRelative:
		return "", &failure{code: ExitNone, what: d.tilde(dir) + " is no folder of this machine. Its sessions are in the list."}
	default:
		return "", &failure{what: "The disk of " + d.tilde(dir) + " does not answer. Try again when it is there."}
	}
	at, roots, repository := d.projectsAt(ctx, dir)
	if root := projectAt(l.rows, roots); root != "" {
		return root, nil
	}
	switch memory := survey.MemoryOf(ctx, at, d.home); {
	case repository:
		return roots[0], nil
	case memory != "":
		return memory, nil
	}
	return "", &failure{
		code: ExitNone, what: d.tilde(at) + " is no project: Claude Code was never started in it. Name another folder.",
		hints: []string{"continuo list --all"},
	}
}

// facts looks at a project. What cannot be looked at is named in Unread; the rest holds. The error is that of root, or
// of ctx.
func (l *projectLook) facts(ctx context.Context, dir string) (survey.Project, error) {
	root, err := l.root(ctx, dir)
	if err != nil {
		return survey.Project{}, err
	}
	l.now = l.d.now()
	p := survey.Project{Dir: root, Checked: l.now}
	l.memory(ctx, &p)
	mine := l.of(root)
	l.git(ctx, &p)
	l.sessions(ctx, &p, mine)
	l.documents(&p, mine)
	l.context(ctx, &p, mine)
	l.nextSteps(&p, mine)
	l.hooks(ctx, &p, mine)
	l.needs(&p, mine)
	l.kept(ctx, &p, mine)
	return p, ctx.Err()
}

// of are the rows of a project, newest first.
func (l *projectLook) of(root string) []*sessions.Row {
	var mine []*sessions.Row
	s := scope{project: root}
	for i := range l.rows {
		if r := &l.rows[i]; !r.Deleted && s.holds(r) {
			mine = append(mine, r)
		}
	}
	slices.SortFunc(mine, func(a, b *sessions.Row) int { return a.Compare(b) })
	return mine
}

// problems are what could not be listed of a project, but for the memories that are looked at now.
func (l *projectLook) problems(root string, now []string) []string {
	if l.problem == nil {
		return nil
	}
	var list []string
	for _, text := range sentences(l.problem) {
		if isOfMemory(text, now) {
			continue
		}
		if strings.Contains(text, root+string(filepath.Separator)) || strings.Contains(text, root+":") {
			list = append(list, l.clean(text))
		}
	}
	return list
}

// clean is a text of an error as the page shows it.
func (l *projectLook) clean(text string) string {
	if home := strings.TrimSuffix(l.d.home, "/"); home != "" {
		text = strings.ReplaceAll(text, home+"/", "~/")
	}
	return transcript.CleanLine(text)
}

// unread names something, once.
func (l *projectLook) unread(p *survey.Project, err error) {
	if err == nil {
		return
	}
	for _, text := range sentences(err) {
		if text = l.clean(text); !slices.Contains(p.Unread, text) {
			p.Unread = append(p.Unread, text)
		}
	}
}

// sessions lists the newest ones, and says where the last of them stands.
func (l *projectLook) sessions(ctx context.Context, p *survey.Project, mine []*sessions.Row) {
	saved := savedSessions(mine)
	for _, r := range mine {
		if r.Kind != sessions.KindSession || r.Quiet() {
			continue
		}
		if p.All++; p.All <= pageSessions {
			p.Sessions = append(p.Sessions, *r)
			continue
		}
		if isPurged(r, saved) {
			p.Purged++
			if p.PurgedBy.IsZero() || r.Purge.Before(p.PurgedBy) {
				p.PurgedBy = r.Purge
			}
		}
	}
	if len(p.Sessions) == 0 {
		return
	}
	if l.exact {
		l.count(ctx, p.Sessions)
	}
	row := p.Sessions[0]
	type answer struct {
		prompt, said string
		err          error
	}
	a, ok := sessions.InTime(ctx, pageTalk, func(ctx context.Context) answer {
		prompt, said, err := l.lastOf(ctx, row)
		return answer{prompt, said, err}
	})
	switch {
	case !ok && ctx.Err() == nil:
		p.Unread = append(p.Unread, "The newest session could not be read in time: "+render.Title(&row)+".")
	case a.err != nil && ctx.Err() == nil:
		p.Unread = append(p.Unread, l.clean("The newest session cannot be read: "+reason(a.err)+"."))
	}
	p.Last = &survey.Last{Row: row, Prompt: a.prompt, Answer: a.said}
}

// count takes the figures of a few sessions from whole scans. What is not known in time stays as it was.
func (l *projectLook) count(ctx context.Context, rows []sessions.Row) {
	paths := make([]string, len(rows))
	for i := range rows {
		paths[i] = rows[i].Path
	}
	read := func(ctx context.Context, path string) sessions.Session { return sessions.Read(ctx, path, l.now) }
	for path, ses := range sessions.AskAll(ctx, time.Now().Add(pageTalk), paths, read) {
		i := slices.IndexFunc(rows, func(r sessions.Row) bool { return r.Path == path })
		if r := &rows[i]; ses.State != sessions.StateUnreadable {
			r.Messages, r.Tokens, r.Exact, r.State, r.Reason = ses.Messages, ses.Tokens, true, ses.State, ses.Reason
			for _, f := range []sessions.Flag{sessions.FlagHiddenBranch, sessions.FlagTornTail} {
				r.SetFlag(f, ses.Has(f))
			}
		}
	}
}

// savedSessions are the ids of those that have a backup.
func savedSessions(mine []*sessions.Row) map[string]bool {
	saved := map[string]bool{}
	for _, r := range mine {
		if r.Kind == sessions.KindBackup && r.Of != "" {
			saved[r.Of] = true
		}
	}
	return saved
}

// isPurged reports whether the client's sweep takes a session soon and no copy of it will be left.
func isPurged(r *sessions.Row, saved map[string]bool) bool {
	return r.Kind == sessions.KindSession && r.Has(sessions.FlagPurgeSoon) && !r.Purge.IsZero() && !saved[r.ID] && r.Live == nil
}

// documents finds the newest document, and counts the todos that are open, as the list of documents does.
func (l *projectLook) documents(p *survey.Project, mine []*sessions.Row) {
	in := map[*sessions.Row]bool{}
	for _, o := range sessions.StillOpen(mine, sessions.Chains(mine)) {
		if !o.Next {
			p.Todos++
			in[o.Row] = true
		}
	}
	p.TodosIn = len(in)
	for _, r := range mine {
		if r.Archived() {
			if p.Documents++; p.Document == nil {
				row := *r
				p.Document = &row
			}
		}
	}
}

// context weighs what every session begins with, against the thresholds of the hooks (spec 000).
func (l *projectLook) context(ctx context.Context, p *survey.Project, mine []*sessions.Row) {
	type answer struct {
		doc backup.Document
		ok  bool
		err error
	}
	a, ok := sessions.InTime(ctx, pageLimit, func(ctx context.Context) answer {
		doc, ok, err := backup.ActiveContext(ctx, p.Dir, l.now.Location())
		return answer{doc, ok, err}
	})
	if !ok && ctx.Err() == nil {
		p.Unread = append(p.Unread, "The disk of .claude/memory does not answer.")
	}
	l.unread(p, a.err)
	if !a.ok {
		return
	}
	c := &survey.Context{Path: a.doc.Path, Updated: updatedAt(&a.doc, l.now), Bytes: a.doc.Bytes, StaleAt: contextStale, HeavyAt: contextHeavy}
	for _, r := range mine {
		if r.Kind == sessions.KindDocument && r.Workdir == p.Dir && filepath.Base(r.Path) == "project-memory.md" {
			c.Memory = r.Bytes
		}
	}
	c.Bytes += c.Memory
	p.Context = c
}

// nextSteps are those of the active context, else of the newest document that has some.
func (l *projectLook) nextSteps(p *survey.Project, mine []*sessions.Row) {
	take := func(r *sessions.Row) {
		p.NextFrom = transcript.CleanLine(filepath.Base(r.Path))
		for _, step := range r.Next[:min(len(r.Next), pageLines)] {
			p.Next = append(p.Next, render.Cut(transcript.CleanLine(step), pageText))
		}
	}
	for _, r := range mine {
		if p.Context != nil && r.Path == p.Context.Path && len(r.Next) > 0 {
			take(r)
			return
		}
	}
	for _, r := range mine {
		if r.Archived() && len(r.Next) > 0 {
			take(r)
			return
		}
	}
}
