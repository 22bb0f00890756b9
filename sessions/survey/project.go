// Package survey answers questions about a project or the machine, with one function for each question. Each part of
// an answer has a time limit. The package opens and writes files only through other packages.
package survey

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Project has the facts on the page of a project. All texts are clean. Unknown facts are zero.
type Project struct {
	Dir     string    // root of the project
	Checked time.Time // time of the look-up
	Git     *Repo     // nil if the project isn't a repository
	Trees   int       // number of linked worktrees whose folder exists

	Last      *Last    // nil if there is no session or it can't be read
	Next      []string // next steps
	NextFrom  string   // file name of the document that lists the next steps
	Todos     int      // number of open todos in all documents
	TodosIn   int      // number of documents with open todos
	Needs     []Need
	NotKnown  []string // needs that could not be checked, such as "pending backups"
	Context   *Context // nil if there is no active-context.md
	Hooks     Hooks
	Sessions  []sessions.Row // the newest sessions, without stubs and runs of `claude -p`
	All       int            // number of all sessions
	Purged    int            // number of sessions without a backup that Claude Code deletes soon
	PurgedBy  time.Time      // when Claude Code deletes the first of these sessions
	Document  *sessions.Row  // newest session document; nil if none
	Documents int            // number of all session documents
	Kept      []Kept
	Unread    []string // one sentence for each part that could not be read
}

// Repo is the state of a git repository.
type Repo struct {
	Branch  string // "" if HEAD is detached
	Ahead   int    // number of commits that the upstream doesn't have
	Behind  int
	Changed int  // number of changed files, including untracked files
	Known   bool // git responded; if false, only Branch is known
}

// Last has the last prompt and answer of the newest session.
type Last struct {
	Row    sessions.Row
	Prompt string // first paragraph of the last prompt
	Answer string // first paragraphs of the last answer; "" if there is no answer yet
}

// NeedKind is a reason why a project needs the attention of the user.
type NeedKind string

// The needs, most urgent first.
const (
	NeedQuestion NeedKind = "question"  // a live session waits for an answer
	NeedPending  NeedKind = "pending"   // backups with a marker
	NeedPurge    NeedKind = "purge"     // sessions without a backup that Claude Code deletes soon
	NeedUnsaved  NeedKind = "no-backup" // sessions that ended without a backup
	NeedHooks    NeedKind = "hooks"     // hooks that do not run
	NeedUnseen   NeedKind = "unseen"    // backups that were never opened
	NeedTask     NeedKind = "task"      // open tasks of spec 003 without an active session
)

// Need is one thing that waits for the user.
type Need struct {
	Kind NeedKind
	N    int       // number of sessions, backups, hooks or tasks
	More string    // a few words of detail
	Path string    // row to open; "" if none
	Task string    // for NeedTask: name of the newest task
	By   time.Time // for NeedPurge: when the first session is deleted
}

// Context describes the active-context.md, which every new session loads (spec 000, CONTEXT_STALE and
// CONTEXT_OVERHEAD).
type Context struct {
	Path    string    // path of the active-context.md
	Updated time.Time // date in the file, else the modification time; zero if the file says "never"
	Bytes   int64     // size of the file and of project-memory.md, which is also loaded
	Memory  int64     // size of project-memory.md; 0 if none
	StaleAt time.Duration
	HeavyAt int64
}

// Stale reports whether the context is older than StaleAt.
func (c *Context) Stale(now time.Time) bool {
	return !c.Updated.IsZero() && now.Sub(c.Updated) > c.StaleAt
}

// Heavy reports whether the context is larger than HeavyAt.
func (c *Context) Heavy() bool { return c.Bytes > c.HeavyAt }

// bytesPerToken is an estimate for prose.
const bytesPerToken = 4

// Tokens returns the estimated tokens of the context, rounded to 100.
func (c *Context) Tokens() int64 { return (c.Bytes/bytesPerToken + 50) / 100 * 100 }

// Hooks describes the hooks that run in the project.
type Hooks struct {
	Events  []Hook
	Trouble string // a problem of all hooks, or a note that none are installed
	Bad     bool   // Trouble is an error, not a note
	Run     string // command that shows more or fixes the problem; "" if none
}

// HookState is the state of a hook.
type HookState string

// The states of a hook.
const (
	HookFires   HookState = "fires"
	HookWaits   HookState = "waits"   // the hook hasn't run yet, and no session ended
	HookWarns   HookState = "warns"   // the hook runs, but has a problem
	HookFails   HookState = "fails"   // the hook should have run, or can't run
	HookMissing HookState = "missing" // the hook isn't installed
)

// Hook is the hook of one event.
type Hook struct {
	Event string // name in Claude Code
	State HookState
	Since time.Time // install time
	Fired time.Time // last run
	Ended int       // number of sessions that ended after Fired, without a run of the hook
	Why   string    // the problem on one line; "" if none
}

// Kept counts continuo's files of one kind in the project.
type Kept struct {
	Name   string
	Files  int
	Bytes  int64
	Newest time.Time
}

// ItemKind is the kind of an Item.
type ItemKind string

// The kinds of items.
const (
	ItemNone     ItemKind = ""
	ItemNeed     ItemKind = "need"
	ItemSession  ItemKind = "session"
	ItemDocument ItemKind = "document"
)

// Item identifies a selectable item on the page, even after the page is drawn again.
type Item struct {
	Kind ItemKind
	Key  string // a NeedKind, or the path of the row
}

// Items returns the items in their order: needs, sessions, document.
func (p *Project) Items() []Item {
	var items []Item
	for i := range p.Needs {
		items = append(items, Item{ItemNeed, string(p.Needs[i].Kind)})
	}
	for i := range p.Sessions {
		items = append(items, Item{ItemSession, p.Sessions[i].Path})
	}
	if p.Document != nil {
		items = append(items, Item{ItemDocument, p.Document.Path})
	}
	return items
}

// Need returns the need of an item, or nil.
func (p *Project) Need(item Item) *Need {
	for i := range p.Needs {
		if item.Kind == ItemNeed && item.Key == string(p.Needs[i].Kind) {
			return &p.Needs[i]
		}
	}
	return nil
}

// Row returns the session or document of an item, or nil.
func (p *Project) Row(item Item) *sessions.Row {
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
