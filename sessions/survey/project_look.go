package survey

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/transcript"
)

// The limits of an active-context.md. An older file is stale, a larger one is heavy (spec 000).
const (
	contextStale = 24 * time.Hour
	ContextHeavy = 20 << 10 // bytes; the file shouldn't be large, because it is part of every prompt
)

const (
	pageLimit    = time.Second            // time limit for one disk access
	folderLimit  = 200 * time.Millisecond // time limit for checking whether the worktrees exist
	gitLimit     = 2 * time.Second
	pageTalk     = 5 * time.Second // time limit for scanning the newest session
	pageSessions = 6               // maximum number of sessions
	pageLines    = 16              // maximum number of next steps
	pageText     = 500             // maximum length of a text in cells
)

// Doc is an open transcript.
type Doc interface {
	Outline() []transcript.MessageRef
	Threads() []transcript.Thread
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
	Close() error
}

// Git returns the output of git status with args in a folder.
type Git func(ctx context.Context, dir string, args ...string) (string, error)

// Look has the inputs of ProjectOf, including known facts.
type Look struct {
	At      Place
	Rows    []sessions.Row // all listed rows
	Problem error          // errors of the list
	Listed  time.Time      // when Rows were listed; zero means At.Now
	Exact   bool           // Rows have quick figures; ProjectOf reads exact ones where needed

	Open   func(ctx context.Context, row sessions.Row) (Doc, error)
	Memory func(ctx context.Context, project string, dirs []string) catalog.Memory // reads the memory again; may be nil
	Git    Git
	Hooks  func(project string) HookPlace
}

// NoProjectError is returned for a folder that isn't in a project.
type NoProjectError struct{ Dir string }

// Error implements error.
func (e *NoProjectError) Error() string { return e.Dir + " is not a project" }

// ProjectOf returns the facts about the project of a folder. Each part has its own time limit, and Project.Unread has
// the unreadable parts. The error is a *FolderError, a *NoProjectError, or ctx.Err().
func ProjectOf(ctx context.Context, l *Look) (Project, error) {
	root, err := l.root(ctx)
	if err != nil {
		return Project{}, err
	}
	p := Project{Dir: root, Checked: l.At.Now}
	l.memory(ctx, &p)
	mine := RowsOf(l.Rows, root)
	l.git(ctx, &p)
	l.sessions(ctx, &p, mine)
	l.documents(&p, mine)
	l.context(ctx, &p, mine)
	l.nextSteps(&p, mine)
	l.hooks(ctx, &p, mine)
	l.needs(&p, mine)
	l.tasks(ctx, &p)
	l.kept(ctx, &p, mine)
	return p, ctx.Err()
}

// root returns the project of the folder. The error is a *FolderError or a *NoProjectError.
func (l *Look) root(ctx context.Context) (string, error) {
	if err := CheckFolder(ctx, l.At.Dir); err != nil {
		return "", err
	}
	at, roots, repository := RootsAt(ctx, l.At)
	if root := ProjectAt(l.Rows, roots); root != "" {
		return root, nil
	}
	switch memory := MemoryOf(ctx, at, l.At.Home); {
	case repository:
		return roots[0], nil
	case memory != "":
		return memory, nil
	}
	return "", &NoProjectError{at}
}

// RowsOf returns the rows of a project, newest first.
func RowsOf(rows []sessions.Row, root string) []*sessions.Row {
	var mine []*sessions.Row
	for i := range rows {
		if r := &rows[i]; !r.Deleted && r.Belongs(root) {
			mine = append(mine, r)
		}
	}
	slices.SortFunc(mine, func(a, b *sessions.Row) int { return a.Compare(b) })
	return mine
}

// problems returns the list's errors about a project, one sentence each. now has directories whose memories were read
// again, so their old errors don't count.
func (l *Look) problems(root string, now []string) []string {
	if l.Problem == nil {
		return nil
	}
	var list []string
	for _, text := range Sentences(l.Problem) {
		if isOfMemory(text, now) {
			continue
		}
		if strings.Contains(text, root+string(filepath.Separator)) || strings.Contains(text, root+":") {
			list = append(list, l.clean(text))
		}
	}
	return list
}

// clean returns the text of an error as the page shows it.
func (l *Look) clean(text string) string {
	if home := strings.TrimSuffix(l.At.Home, "/"); home != "" {
		text = strings.ReplaceAll(text, home+"/", "~/")
	}
	return transcript.CleanLine(text)
}

// unread adds the sentences of an error to p.Unread, each once.
func (l *Look) unread(p *Project, err error) {
	if err == nil {
		return
	}
	for _, text := range Sentences(err) {
		if text = l.clean(text); !slices.Contains(p.Unread, text) {
			p.Unread = append(p.Unread, text)
		}
	}
}

// documents sets the newest document, and counts documents and open todos as the list of documents does.
func (l *Look) documents(p *Project, mine []*sessions.Row) {
	in := map[*sessions.Row]bool{}
	for _, o := range sessions.StillOpen(mine, sessions.Chains(mine)) {
		if !o.Next {
			p.Todos++
			in[o.Row] = true
		}
	}
	p.TodosIn = len(in)
	for _, r := range mine {
		if r.IsSessionDocument() {
			if p.Documents++; p.Document == nil {
				row := *r
				p.Document = &row
			}
		}
	}
}

// context compares the active context with the limits of the hooks (spec 000).
func (l *Look) context(ctx context.Context, p *Project, mine []*sessions.Row) {
	type answer struct {
		c   *Context
		err error
	}
	a, ok := sessions.InTime(ctx, pageLimit, func(ctx context.Context) answer {
		c, err := contextOf(ctx, p.Dir, l.At.Now)
		return answer{c, err}
	})
	if !ok && ctx.Err() == nil {
		p.Unread = append(p.Unread, ".claude/memory: the disk does not respond.")
	}
	l.unread(p, a.err)
	c := a.c
	if c == nil {
		return
	}
	for _, r := range mine {
		if r.Kind == sessions.KindDocument && r.Workdir == p.Dir && filepath.Base(r.Path) == "project-memory.md" {
			c.Memory = r.Bytes
		}
	}
	c.Bytes += c.Memory
	p.Context = c
}

// nextSteps sets the next steps from the active context, otherwise from the newest document with any.
func (l *Look) nextSteps(p *Project, mine []*sessions.Row) {
	take := func(r *sessions.Row) {
		p.NextFrom = transcript.CleanLine(filepath.Base(r.Path))
		for _, step := range r.Next[:min(len(r.Next), pageLines)] {
			p.Next = append(p.Next, words.Cut(transcript.CleanLine(step), pageText))
		}
	}
	for _, r := range mine {
		if p.Context != nil && r.Path == p.Context.Path && len(r.Next) > 0 {
			take(r)
			return
		}
	}
	for _, r := range mine {
		if r.IsSessionDocument() && len(r.Next) > 0 {
			take(r)
			return
		}
	}
}

// updatedAt returns the last update of an active context, without notes of the hooks. It is zero for never or
// unknown.
func updatedAt(doc *document.Document, now time.Time) time.Time {
	if doc.Never {
		return time.Time{}
	}
	return sessions.Plausible(doc.Date, now)
}
