// Package survey joins the results of other packages about a project or the machine, one function for each question.
// Each part of an answer has a time limit. The package opens no file itself and writes none.
package survey

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Project holds the facts about a project that its page shows. All texts are clean; an unknown fact has the zero value.
type Project struct {
	Dir     string    // root
	Checked time.Time // time of the look-up
	Git     *Repo     // nil: not a repository
	Trees   int       // linked worktrees whose folder exists

	Last      *Last    // nil: no session, or it can't be read
	Next      []string // next steps, in order
	NextFrom  string   // file name of the document that lists them
	Todos     int      // open todos, in all documents
	TodosIn   int      // documents with open todos
	Needs     []Need
	NotKnown  []string // needs that could not be checked: "pending backups"
	Context   *Context // nil: no active-context.md
	Hooks     Hooks
	Sessions  []sessions.Row // the newest, without stubs and -p runs
	All       int            // sessions in all
	Purged    int            // sessions without a backup that Claude Code deletes soon, not counting those in Sessions
	PurgedBy  time.Time      // when Claude Code deletes the first of the Purged
	Document  *sessions.Row  // newest session document; nil: none
	Documents int            // session documents in all
	Kept      []Kept
	Unread    []string // one sentence for each part that could not be read
}

// Repo is the state of a git repository.
type Repo struct {
	Branch  string // "": detached HEAD
	Ahead   int    // commits that the upstream does not have
	Behind  int
	Changed int  // changed files, untracked ones included
	Known   bool // git answered; if false, only Branch is known
}

// Last is the end of the newest session.
type Last struct {
	Row    sessions.Row
	Prompt string // first paragraph of the last prompt
	Answer string // first paragraphs of the last answer; "": not answered yet
}

// NeedKind names a reason why a project needs the user.
type NeedKind string

// The needs, most urgent first.
const (
	NeedQuestion NeedKind = "question"  // a live session waits for an answer
	NeedPending  NeedKind = "pending"   // backups with a marker
	NeedPurge    NeedKind = "purge"     // sessions without a backup that Claude Code deletes soon
	NeedUnsaved  NeedKind = "no-backup" // sessions that ended without a backup
	NeedHooks    NeedKind = "hooks"     // hooks that do not run
	NeedUnseen   NeedKind = "unseen"    // backups that were never opened
)

// Need is one thing that waits for the user.
type Need struct {
	Kind NeedKind
	N    int       // how many
	More string    // a few words of detail
	Path string    // row to open; "": none
	By   time.Time // for NeedPurge: when the first session is deleted
}

// Context describes the active-context.md that every new session loads (spec 000, CONTEXT_STALE and CONTEXT_OVERHEAD).
type Context struct {
	Path    string    // path of the active-context.md
	Updated time.Time // date in the file, else its modification time; zero: the file says never
	Bytes   int64     // size of the file and of the project-memory.md beside it, which is loaded too
	Memory  int64     // bytes of project-memory.md, 0: none
	StaleAt time.Duration
	HeavyAt int64
}

// Stale reports whether the context is older than StaleAt.
func (c *Context) Stale(now time.Time) bool {
	return !c.Updated.IsZero() && now.Sub(c.Updated) > c.StaleAt
}

// Heavy reports whether the context is larger than HeavyAt.
func (c *Context) Heavy() bool { return c.Bytes > c.HeavyAt }

// bytesPerToken is a rule of thumb for prose.
const bytesPerToken = 4

// Tokens estimates the tokens that the context costs, rounded to 100.
func (c *Context) Tokens() int64 { return (c.Bytes/bytesPerToken + 50) / 100 * 100 }

// Hooks describes the hooks that run in the project.
type Hooks struct {
	Events  []Hook
	Trouble string // problem of all hooks, or a note that none is installed
	Bad     bool   // Trouble is an error, not a note
	Run     string // command that shows more or fixes the problem; "": none
}

// HookState says whether a hook works.
type HookState string

// The states of a hook.
const (
	HookFires   HookState = "fires"
	HookWaits   HookState = "waits"   // has not run yet, and was not due
	HookWarns   HookState = "warns"   // runs, with a problem
	HookFails   HookState = "fails"   // was due and did not run, or cannot run
	HookMissing HookState = "missing" // not installed
)

// Hook is the hook of one event.
type Hook struct {
	Event string // name in Claude Code
	State HookState
	Since time.Time // install time
	Fired time.Time // last run
	Ended int       // sessions that ended since Fired without a run of the hook
	Why   string    // the problem, on one line; "": none
}

// Kept counts the files of one kind that continuo keeps in the project.
type Kept struct {
	Name   string
	Files  int
	Bytes  int64
	Newest time.Time
}

// ItemKind names the kinds of things that can be opened from the page.
type ItemKind string

// The kinds of items.
const (
	ItemNone     ItemKind = ""
	ItemNeed     ItemKind = "need"
	ItemSession  ItemKind = "session"
	ItemDocument ItemKind = "document"
)

// Item identifies something on the page that can be selected. It stays valid when the page is drawn again.
type Item struct {
	Kind ItemKind
	Key  string // a NeedKind, or the path of the row
}

// Items returns the items in selection order: needs, sessions, document.
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

// Need returns the need that an item identifies; nil if the item is not a need of p.
func (p *Project) Need(item Item) *Need {
	for i := range p.Needs {
		if item.Kind == ItemNeed && item.Key == string(p.Needs[i].Kind) {
			return &p.Needs[i]
		}
	}
	return nil
}

// Row returns the session or document that an item identifies; nil if it is neither.
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
