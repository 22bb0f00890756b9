package cli

import (
	"path/filepath"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// projectJSON is a project for programs. Missing parts are null.
type projectJSON struct {
	Path      string          `json:"path"`
	Name      string          `json:"name"`
	Checked   out.Time        `json:"checked"`
	Git       *gitJSON        `json:"git"`
	Last      *lastJSON       `json:"last"`
	Next      nextJSON        `json:"next"`
	Needs     []needJSON      `json:"needs"`
	NotKnown  []string        `json:"notKnown"` // facts that may need attention and could not be read
	Context   *contextJSON    `json:"context"`
	Hooks     hooksJSON       `json:"hooks"`
	Sessions  projectSessions `json:"sessions"`
	Documents documentsJSON   `json:"documents"`
	Kept      []keptJSON      `json:"kept"`
	Unread    []string        `json:"unread"`
}

type gitJSON struct {
	Branch    string `json:"branch"`
	Ahead     *int   `json:"ahead"` // null if git didn't answer
	Behind    *int   `json:"behind"`
	Changed   *int   `json:"changed"`
	Worktrees int    `json:"worktrees"`
}

type lastJSON struct {
	ID     string   `json:"id"`
	Path   string   `json:"path"`
	Name   string   `json:"name"`
	Time   out.Time `json:"time"`
	Prompt string   `json:"prompt"`
	Answer string   `json:"answer"`
}

type nextJSON struct {
	From   string   `json:"from"`
	Steps  []string `json:"steps"`
	Todos  int      `json:"openTodos"`
	InDocs int      `json:"inDocuments"`
}

type needJSON struct {
	Kind  survey.NeedKind `json:"kind"`
	Count int             `json:"count"`
	About string          `json:"about"`
	Path  string          `json:"path"`
	By    out.Time        `json:"by"`
}

type contextJSON struct {
	Path    string   `json:"path"`
	Updated out.Time `json:"updated"`
	Bytes   int64    `json:"bytes"`
	Memory  int64    `json:"memoryBytes"`
	Tokens  int64    `json:"aboutTokens"`
	Stale   bool     `json:"stale"`
	Heavy   bool     `json:"heavy"`
}

type hooksJSON struct {
	Trouble string      `json:"trouble"`
	Events  []eventJSON `json:"events"`
}

type eventJSON struct {
	Event     string           `json:"event"`
	State     survey.HookState `json:"state"`
	Installed out.Time         `json:"installed"`
	Fired     out.Time         `json:"fired"`
	Ended     int              `json:"endedWithout"`
	Why       string           `json:"why"`
}

type projectSessions struct {
	Count    int      `json:"count"`
	Newest   []any    `json:"newest"`
	Purged   int      `json:"purgedSoon"` // sessions purged soon that aren't in newest
	PurgedBy out.Time `json:"purgedBy"`
}

type documentsJSON struct {
	Count  int `json:"count"`
	Newest any `json:"newest"`
}

type keptJSON struct {
	Name   string   `json:"name"`
	Files  int      `json:"files"`
	Bytes  int64    `json:"bytes"`
	Newest out.Time `json:"newest"`
}

func newProjectJSON(p *survey.Project) projectJSON {
	j := projectJSON{
		Path: p.Dir, Name: filepath.Base(p.Dir), Checked: out.Time(p.Checked),
		Next:  nextJSON{p.NextFrom, out.OrEmpty(p.Next), p.Todos, p.TodosIn},
		Needs: []needJSON{}, NotKnown: out.OrEmpty(p.NotKnown),
		Hooks:    hooksJSON{p.Hooks.Trouble, []eventJSON{}},
		Sessions: projectSessions{p.All, rowsOf(p.Sessions), p.Purged, out.Time(p.PurgedBy)},
		Kept:     []keptJSON{}, Unread: out.OrEmpty(p.Unread), Documents: documentsJSON{Count: p.Documents},
	}
	if g := p.Git; g != nil {
		j.Git = &gitJSON{Branch: g.Branch, Worktrees: p.Trees}
		if g.Known {
			j.Git.Ahead, j.Git.Behind, j.Git.Changed = &g.Ahead, &g.Behind, &g.Changed
		}
	}
	if l := p.Last; l != nil {
		j.Last = &lastJSON{l.Row.ID, l.Row.Path, l.Row.Name, out.Time(l.Row.Last), l.Prompt, l.Answer}
	}
	for _, n := range p.Needs {
		j.Needs = append(j.Needs, needJSON{n.Kind, n.N, n.More, n.Path, out.Time(n.By)})
	}
	if c := p.Context; c != nil {
		j.Context = &contextJSON{c.Path, out.Time(c.Updated), c.Bytes, c.Memory, c.Tokens(), c.Stale(p.Checked), c.Heavy()}
	}
	for _, h := range p.Hooks.Events {
		j.Hooks.Events = append(j.Hooks.Events, eventJSON{h.Event, h.State, out.Time(h.Since), out.Time(h.Fired), h.Ended, h.Why})
	}
	if p.Document != nil {
		j.Documents.Newest = out.Object(find.ListColumns(), p.Document)
	}
	for _, k := range p.Kept {
		j.Kept = append(j.Kept, keptJSON{k.Name, k.Files, k.Bytes, out.Time(k.Newest)})
	}
	return j
}

func rowsOf(rows []sessions.Row) []any {
	list := make([]any, len(rows))
	for i := range rows {
		list[i] = out.Object(find.ListColumns(), &rows[i])
	}
	return list
}
