// Package resume decides how a session, a backup or a document can be continued: facts and the answers of a person in,
// findings and choices or a launch out. It is pure: the caller looks everything up, and runs what comes out.
package resume

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Where is the place in which the client is started.
type Where string

// The places. Auto is here, but a window from inside a tmux popup, which ends with the program in it.
const (
	WhereAuto   Where = "auto"
	WhereHere   Where = "here"   // in this terminal, until it ends
	WhereWindow Where = "window" // the others need tmux
	WhereSplit  Where = "split"
	WherePopup  Where = "popup"
)

// Ask is what a person asks for. The zero value is to go on with the session in its own folder. A Choice of a
// plan carries the same with one more answer in it.
type Ask struct {
	In     Where    // "" as the config says
	Fork   bool     // a new session that starts with all of this one
	New    bool     // a new session in the folder, with nothing of this one
	Folder string   // start in this folder; "" in the session's own
	Make   bool     // make the folder when it is gone: a removed worktree with git
	Second bool     // be a second writer of a live session
	Known  bool     // go on in spite of findings that do no harm
	Other  bool     // take the other file of the same id
	Pane   string   // start nothing and go to this tmux pane
	Args   []string // more arguments for the client
	Take   Take     // of a backup or a document: how to go on with it; "" that is the question
	As     string   // of TakeNew: the id to restore under; "" one that is made up
}

// Facts is all that the guard looks at. Nothing in it is looked up by the guard.
type Facts struct {
	Row     sessions.Row
	Missing bool            // its file is not there any more
	Clients []Client        // that have it open or are about to
	Unsure  string          // why it is not known whether there are more, "" when it is
	Twins   []Twin          // other files of its id that have messages, in the same config dir
	Folder  sessions.Folder // where the client would start
	Main    string          // the folder of the project that a gone folder belonged to; "" none, or gone as well
	Tree    Tree            // what git knows of a gone folder
	Claude  Claude
	In      Where // what the config says, "" auto
	Tmux    bool  // this is inside tmux
	Popup   bool  // and in a popup of it
	Home    string
	Now     time.Time // its location is the zone of the times that are named
}

// Client is a running client that has the session open.
type Client struct {
	sessions.Live
	Pane     string // tmux pane in which it runs, "" none that could be found
	PaneName string // as a person knows it: work:2
	TTY      string // its terminal, where it runs in no pane: pts/5; "" unknown
	Starting bool   // continuo started it a moment ago, and it is not in the registry yet
}

// Twin is another transcript of the same id.
type Twin struct {
	Path    string
	Workdir string
	Last    time.Time
}

// Tree is what git says of a folder that is gone.
type Tree struct {
	Removed bool   // it was a linked worktree
	Branch  string // that it can be made again from; "" none, or it is checked out in another worktree
	Listed  bool   // git still has it on its list, so that it takes -f to make it again
}

// Claude is the client that would be started.
type Claude struct {
	Path    string   // "" not found
	Name    string   // as the config says
	Args    []string // of every start, from the config
	Version string   // "" unknown
}

// FindingKind names what stands in the way, for programs.
type FindingKind string

// The findings. Those behind the blank line do no harm: Known goes on.
const (
	FindingLive        FindingKind = "live"
	FindingUnsure      FindingKind = "live-unknown"
	FindingNoDir       FindingKind = "no-config-dir"
	FindingKindOfRow   FindingKind = "not-a-session"
	FindingFileGone    FindingKind = "file-gone"
	FindingUnreadable  FindingKind = "unreadable"
	FindingNoID        FindingKind = "not-resumable"
	FindingStub        FindingKind = "stub"
	FindingNoClaude    FindingKind = "claude-missing"
	FindingFolder      FindingKind = "folder"
	FindingWorktree    FindingKind = "worktree-removed"
	FindingOtherFile   FindingKind = "other-file"
	FindingNotFound    FindingKind = "not-found"
	FindingNeedsNewer  FindingKind = "needs-newer-client"
	FindingNoTmux      FindingKind = "no-tmux"
	FindingPopupInside FindingKind = "popup-in-popup"
	FindingOnlyCopy    FindingKind = "only-copy" // of a backup, from here on: what its transcript has of it
	FindingHeld        FindingKind = "held"
	FindingRewritten   FindingKind = "rewritten"
	FindingNotCompared FindingKind = "not-compared"
	FindingPending     FindingKind = "pending" // also of a document: there are pending backups in its project
	FindingNotPending  FindingKind = "not-pending"
	FindingNoCommand   FindingKind = "no-command" // of a document, as the next
	FindingUnsafePath  FindingKind = "unsafe-path"
	FindingLoaded      FindingKind = "loaded-anyway"

	FindingDamaged     FindingKind = "damaged"
	FindingOlderClient FindingKind = "older-client"
	FindingDuplicate   FindingKind = "duplicate-id"
)

// Finding is one thing that stands in the way, in words.
type Finding struct {
	Kind   FindingKind
	What   string // one sentence
	Detail string // what follows from it, and what is known of it
}

// Choice is one way to go on. Keys are local to the plan.
type Choice struct {
	Key  string // one letter
	Name string // a verb or two
	Note string // what it does
	Off  string // why it cannot be chosen now
	Path bool   // a folder has to be named first: it goes into Ask.Folder
	Slow bool   // its letter only goes there: it is taken with enter
	Ask  Ask

	Launch *Launch // what it comes to if nothing else stands in the way; nil: there is more to say first
	Run    string  // the same in words, with ~ and the start of the id; "" none
	Line   string  // the same for a shell; whoever starts programs fills it in
}

// Plan is the answer of the guard: either a Launch, or what a person has to know and choose first. Without a
// choice it cannot be done, and the findings say what to do.
type Plan struct {
	Title    string // Resume, Fork, New session
	ID       string
	Folder   string // another folder that was asked for, "" none
	In       Where  // here, window, split or popup
	Findings []Finding
	Choices  []Choice // the first is the one to suggest
	Launch   *Launch
}

// Launch is what is run. A program gets its arguments as they are, never through a shell.
type Launch struct {
	Argv   []string // program and arguments
	Dir    string
	In     Where
	Make   []string // makes Dir first: {"mkdir"}, or a git command; nil: it is there
	Pane   string   // go to this pane; nothing is run
	Writes string   // id of the session that is written to, "" a new one
	Second bool     // there is another writer, and the person knows

	Row     sessions.Row // that it is about: the session, also the one that a backup is of; else what begins a new one
	Restore string       // path of the backup that is made the session Writes of before anything runs; "" none
	Fresh   bool         // under a new id
}
