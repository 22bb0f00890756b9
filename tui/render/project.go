package render

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Project is what the page of a project shows: what a person needs to know to go on there. All texts are clean; what is
// not known is the zero value.
type Project struct {
	Dir     string      // its root
	Checked time.Time   // when it was looked at
	Git     *ProjectGit // nil: no repository
	Trees   int         // linked worktrees of it that are there

	Last      *ProjectLast // nil: there is no session, or it cannot be read
	Next      []string     // next steps, in order
	NextFrom  string       // the file name of the document that they stand in
	Todos     int          // todos that are open, in all documents
	TodosIn   int          // documents that have some
	Needs     []ProjectNeed
	NotKnown  []string        // what may need the person, and could not be looked at: "pending backups"
	Context   *ProjectContext // nil: there is no active-context.md
	Hooks     ProjectHooks
	Sessions  []sessions.Row // the newest, without stubs and -p runs
	All       int            // sessions in all
	Purged    int            // sessions without a copy among those that are not in Sessions
	PurgedBy  time.Time      // when the client's sweep takes the first of them
	Document  *sessions.Row  // the newest session document, nil: none
	Documents int            // session documents in all
	Kept      []ProjectKept
	Unread    []string // what could not be looked at, in sentences
}

// ProjectGit is the state of the repository.
type ProjectGit struct {
	Branch  string // "" a commit alone
	Ahead   int    // commits that its upstream does not have
	Behind  int
	Changed int  // files, new ones too
	Known   bool // git has answered: else only the branch is known
}

// ProjectLast is where the newest session stands.
type ProjectLast struct {
	Row    sessions.Row
	Prompt string // the last one of the person: its first paragraph
	Answer string // what was said to it last: the first paragraphs; "" nothing yet
}

// NeedKind says what a project needs a person for.
type NeedKind string

// What a project can need, the most urgent first.
const (
	NeedQuestion NeedKind = "question"  // a live session waits for an answer
	NeedPending  NeedKind = "pending"   // backups that a marker names
	NeedPurge    NeedKind = "purge"     // sessions that the client's sweep takes soon and no backup has
	NeedUnsaved  NeedKind = "no-backup" // sessions that ended without a backup
	NeedHooks    NeedKind = "hooks"     // hooks that do not fire
	NeedUnseen   NeedKind = "unseen"    // backups that nobody has looked at
)

// ProjectNeed is a thing that waits for the person.
type ProjectNeed struct {
	Kind NeedKind
	N    int       // how many
	More string    // about it, in a few words
	Path string    // of the row that it opens at; "" none
	By   time.Time // of NeedPurge: when the first one goes
}

// ProjectContext is what every new session begins with (spec 000, CONTEXT_STALE and CONTEXT_OVERHEAD).
type ProjectContext struct {
	Path    string    // of the active-context.md
	Updated time.Time // as it says, else the time of the file; zero: it says never
	Bytes   int64     // of it and of the project-memory.md beside it, which is loaded too
	Memory  int64     // bytes of that one, 0 none
	StaleAt time.Duration
	HeavyAt int64
}

// Stale reports whether it is older than the hook of a session's start likes.
func (c *ProjectContext) Stale(now time.Time) bool {
	return !c.Updated.IsZero() && now.Sub(c.Updated) > c.StaleAt
}

// Heavy reports whether it is larger than that.
func (c *ProjectContext) Heavy() bool { return c.Bytes > c.HeavyAt }

// bytesPerToken is a rule of thumb for prose.
const bytesPerToken = 4

// Tokens is about how many tokens it costs, to the hundred.
func (c *ProjectContext) Tokens() int64 { return (c.Bytes/bytesPerToken + 50) / 100 * 100 }

// ProjectHooks is what is known of the hooks that act in the project.
type ProjectHooks struct {
	Events  []ProjectHook
	Trouble string // what stands in the way of all of them, or that there are none
	Bad     bool   // Trouble is worse than a note
	Run     string // a command that says or does more; "" none
}

// HookState says whether a hook does what it is there for.
type HookState string

// The states of a hook.
const (
	HookFires   HookState = "fires"
	HookWaits   HookState = "waits"   // it has not fired yet, and nobody missed it
	HookWarns   HookState = "warns"   // it fires, and something is wrong with it
	HookFails   HookState = "fails"   // it should have fired and did not, or cannot
	HookMissing HookState = "missing" // it is not installed
)

// ProjectHook is one event.
type ProjectHook struct {
	Event string // as the client calls it
	State HookState
	Since time.Time // installed
	Fired time.Time // last
	Ended int       // sessions that have ended since, without it
	Why   string    // what is wrong, one line; "" nothing, or Ended says it
}

// ProjectKept is what lies in the project beside its sessions.
type ProjectKept struct {
	Name   string
	Files  int
	Bytes  int64
	Newest time.Time
}

// ItemKind names what can be gone into from a page.
type ItemKind string

// The kinds of items.
const (
	ItemNone     ItemKind = ""
	ItemNeed     ItemKind = "need"
	ItemSession  ItemKind = "session"
	ItemDocument ItemKind = "document"
)

// ProjectItem is something on the page that the bar can stand on: it survives that the page is drawn anew.
type ProjectItem struct {
	Kind ItemKind
	Key  string // NeedKind, or the path of the row
}

// Items are the items in the order in which the bar goes through them: what needs the person, the sessions, the
// document.
func (p *Project) Items() []ProjectItem {
	var items []ProjectItem
	for i := range p.Needs {
		items = append(items, ProjectItem{ItemNeed, string(p.Needs[i].Kind)})
	}
	for i := range p.Sessions {
		items = append(items, ProjectItem{ItemSession, p.Sessions[i].Path})
	}
	if p.Document != nil {
		items = append(items, ProjectItem{ItemDocument, p.Document.Path})
	}
	return items
}

// Need is the need of an item, nil when it is none.
func (p *Project) Need(item ProjectItem) *ProjectNeed {
	for i := range p.Needs {
		if item.Kind == ItemNeed && item.Key == string(p.Needs[i].Kind) {
			return &p.Needs[i]
		}
	}
	return nil
}

// Row is the session or document of an item, nil when it is none.
func (p *Project) Row(item ProjectItem) *sessions.Row {
	for i := range p.Sessions {
		if item.Kind == ItemSession && item.Key == p.Sessions[i].Path {
			return &p.Sessions[i]
		}
	}
	if item.Kind == ItemDocument && p.Document != nil && item.Key == p.Document.Path {
		return p.Document
	}
	return nil
}

// GitWords says where the repository stands: "on main, 1 ahead, 2 files changed"; "" without one.
func (p *Project) GitWords() string {
	g := p.Git
	if g == nil || g.Branch == "" && !g.Known {
		return ""
	}
	words := "on no branch"
	if g.Branch != "" {
		words = "on " + g.Branch
	}
	if g.Ahead > 0 {
		words += ", " + Count(g.Ahead) + " ahead"
	}
	if g.Behind > 0 {
		words += ", " + Count(g.Behind) + " behind"
	}
	if g.Changed > 0 {
		words += ", " + Counted(g.Changed, "file", "files") + " changed"
	}
	return words
}

// TreeWords counts the linked worktrees: "2 worktrees"; "" without one.
func (p *Project) TreeWords() string {
	if p.Trees == 0 {
		return ""
	}
	return Counted(p.Trees, "worktree", "worktrees")
}
