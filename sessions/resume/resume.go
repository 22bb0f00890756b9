// Package resume decides how to resume a session, a backup or a document. It turns facts and the answers of a person into
// findings with choices, or into a Launch. It is pure: the caller collects the facts and runs the Launch.
package resume

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Where is the place in which the client is started.
type Where string

// The places. WhereAuto is this terminal, or a window from inside a tmux popup, which closes with its program.
const (
	WhereAuto   Where = "auto"
	WhereHere   Where = "here"   // in this terminal, until it ends
	WhereWindow Where = "window" // the others need tmux
	WhereSplit  Where = "split"
	WherePopup  Where = "popup"
)

// Ask is the request of a person. The zero value resumes the session in its own folder. Each Choice of a plan has the
// same Ask with one more answer.
type Ask struct {
	In     Where    // "" as the config says
	Fork   bool     // a new session that starts with the whole conversation
	New    bool     // a new, empty session in the folder
	Folder string   // start in this folder; "" in the session's own
	Make   bool     // create the missing folder, a removed worktree with git
	Second bool     // open a live session as a second writer
	Known  bool     // continue despite harmless findings
	Other  bool     // take the other file with the same ID
	Pane   string   // start nothing and go to this tmux pane
	Args   []string // more arguments for the client
	Take   Take     // way to resume a backup or a document; "" ask
	As     string   // for TakeNew: the ID to restore under; "" a generated one
}

// Facts is the input of PlanSession. PlanSession looks up nothing itself.
type Facts struct {
	Row     sessions.Row
	Missing bool            // its file is gone
	Clients []Client        // clients that have it open or are about to
	Unsure  string          // why there may be more clients, "" if there aren't
	Twins   []Twin          // other files with its ID that have messages, in the same config dir
	Folder  sessions.Folder // where the client would start
	Main    string          // main folder of the project of a missing folder; "" none or missing too
	Tree    Tree            // git's record of a missing folder
	Claude  Claude
	In      Where // from the config, "" auto
	Tmux    bool  // this is inside tmux
	Popup   bool  // this is inside a tmux popup
	Home    string
	Now     time.Time // its location is the time zone of messages
}

// Client is a running client that has the session open.
type Client struct {
	sessions.Live
	Pane     string // its tmux pane, "" none found
	PaneName string // name of the pane: work:2
	TTY      string // its terminal if it has no pane: pts/5; "" unknown
	Starting bool   // started by continuo and not in the registry yet
}

// Twin is another transcript with the same ID.
type Twin struct {
	Path    string
	Workdir string
	Last    time.Time
}

// Tree is git's record of a missing folder.
type Tree struct {
	Removed bool   // it was a linked worktree
	Branch  string // branch to recreate it from; "" none, or checked out in another worktree
	Listed  bool   // git still lists it, so recreating it needs -f
}

// Claude is the client to start.
type Claude struct {
	Path    string   // "" not found
	Name    string   // as the config says
	Args    []string // of every start, from the config
	Version string   // "" unknown
}

// FindingKind names a problem, for programs.
type FindingKind string

// The findings. Those after the blank line are harmless: Ask.Known skips them.
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
	FindingOnlyCopy    FindingKind = "only-copy" // from here on for backups: the state of the live transcript
	FindingHeld        FindingKind = "held"
	FindingRewritten   FindingKind = "rewritten"
	FindingNotCompared FindingKind = "not-compared"
	FindingPending     FindingKind = "pending" // also for a document: its project has pending backups
	FindingNotPending  FindingKind = "not-pending"
	FindingNoCommand   FindingKind = "no-command" // for a document, like the next one
	FindingUnsafePath  FindingKind = "unsafe-path"
	FindingLoaded      FindingKind = "loaded-anyway"

	FindingDamaged     FindingKind = "damaged"
	FindingOlderClient FindingKind = "older-client"
	FindingDuplicate   FindingKind = "duplicate-id"
)

// Finding is a problem in words.
type Finding struct {
	Kind   FindingKind
	What   string // one sentence
	Detail string // consequences and details
}

// Choice is a way to continue. Keys are local to the plan.
type Choice struct {
	Key  string // one letter
	Name string // a verb or two
	Note string // what it does
	Off  string // why it isn't available
	Path bool   // needs a folder, which goes into Ask.Folder
	Slow bool   // its letter only selects it; enter takes it
	Ask  Ask

	Launch *Launch // its launch if there are no further findings; nil otherwise
	Run    string  // the launch in words, with ~ and the start of the ID; "" none
	Line   string  // the launch for a shell; set by the caller
}

// Plan is the result of PlanSession and PlanKept: a Launch, or findings with choices. Without choices the session can't be
// resumed, and the findings say what to do.
type Plan struct {
	Title    string // Resume, Fork, New session
	ID       string
	Folder   string // another folder that was requested, "" none
	In       Where  // here, window, split or popup
	Findings []Finding
	Choices  []Choice // the first one is suggested
	Launch   *Launch
}

// Launch is a program to run. Its arguments are passed directly, never through a shell.
type Launch struct {
	Argv   []string // program and arguments
	Dir    string
	In     Where
	Make   []string // creates Dir first: {"mkdir"}, or a git command; nil: Dir exists
	Pane   string   // go to this pane and run nothing
	Writes string   // ID of the session to write, "" a new one
	Second bool     // another client has it open, and the person chose that

	Row     sessions.Row // the session, also for a backup of it; else the document that starts a new one
	Restore string       // path of the backup to restore as the session Writes first; "" none
	Fresh   bool         // restore under a new ID
}
