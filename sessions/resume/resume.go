// Package resume decides how to resume a session, a backup or a document. From facts and the answers of the user it
// makes findings with choices, or a Launch. It is pure: the caller collects the facts and runs the Launch.
package resume

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Where is the place in which the client is started.
type Where string

// The places. WhereAuto means this terminal, but inside a tmux popup it means a window, because a popup closes when its
// program ends.
const (
	WhereAuto   Where = "auto"
	WhereHere   Where = "here"   // in this terminal, until it ends
	WhereWindow Where = "window" // the others need tmux
	WhereSplit  Where = "split"
	WherePopup  Where = "popup"
)

// Ask is the request of the user. The zero value resumes the session in its own folder. Each Choice of a plan has the
// same Ask with one more answer.
type Ask struct {
	In     Where    // "" as set in the config
	Fork   bool     // start a new session with the whole conversation
	At     string   // for a Fork: ID of its last message; "" the whole conversation
	New    bool     // start a new, empty session in the folder
	Folder string   // start in this folder; "" in the session's own
	Make   bool     // create the missing folder; git creates a removed worktree
	Second bool     // open a live session as a second writer
	Known  bool     // continue despite harmless findings
	Other  bool     // take the other file with the same ID
	Pane   string   // start nothing and go to this tmux pane
	Args   []string // more arguments for the client
	Take   Take     // way to resume a backup or a document; "" to ask
	As     string   // for TakeNew and At: ID of the new transcript; "" for a generated one
}

// Facts is the input of PlanSession. PlanSession looks up nothing itself.
type Facts struct {
	Row     sessions.Row
	Missing bool            // the file of the session doesn't exist
	Clients []Client        // clients that have the session open or are starting with it
	Unsure  string          // reason why there may be more clients, "" if there are none
	Twins   []Twin          // other files with the same ID that have messages, in the same config dir
	Folder  sessions.Folder // folder in which the client would start
	Main    string          // main folder of the project of a missing folder; "" if there is none or it is missing, too
	Tree    Tree            // git's record of a missing folder
	Claude  Claude
	In      Where // from the config; "" means auto
	Tmux    bool  // continuo runs inside tmux
	Popup   bool  // continuo runs inside a tmux popup
	Cut     *Cut  // for Ask.At: what the fork will have
	Home    string
	Now     time.Time // its location is the time zone of messages
}

// Cut is the conversation up to a message.
type Cut struct {
	Messages, Of int    // prompts and answers in it and in the session
	Prompt       string // the last one
	New          string // an unused session ID
}

// Client is a running client that has the session open.
type Client struct {
	sessions.Live
	Pane     string // its tmux pane, "" if none was found
	PaneName string // name of the pane, such as work:2
	TTY      string // its terminal if it has no pane, such as pts/5; "" if unknown
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
	Removed bool   // the folder was a linked worktree
	Branch  string // branch to recreate the worktree from; "" if there is none or another worktree has it checked out
	Listed  bool   // git still lists the worktree, so recreating it needs -f
}

// Claude is the client to start.
type Claude struct {
	Path    string   // "" if not found
	Name    string   // command from the config
	Args    []string // arguments of every start, from the config
	Version string   // "" if unknown
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
	FindingOnlyCopy    FindingKind = "only-copy" // this and the next three: live transcript of a backup
	FindingHeld        FindingKind = "held"
	FindingRewritten   FindingKind = "rewritten"
	FindingNotCompared FindingKind = "not-compared"
	FindingPending     FindingKind = "pending" // also for a document: its project has pending backups
	FindingNotPending  FindingKind = "not-pending"
	FindingNoCommand   FindingKind = "no-command" // for a document, like the next one
	FindingUnsafePath  FindingKind = "unsafe-path"
	FindingLoaded      FindingKind = "loaded-anyway"

	FindingCut         FindingKind = "fork-at"
	FindingDamaged     FindingKind = "damaged"
	FindingOlderClient FindingKind = "older-client"
	FindingDuplicate   FindingKind = "duplicate-id"
)

// Finding is a problem in words.
type Finding struct {
	Kind   FindingKind
	What   string // one sentence
	Detail string // consequences, details and advice
}

// Choice is a way to continue. Keys are local to the plan.
type Choice struct {
	Key  string // one letter
	Name string // label, a few words
	Note string // short description
	Off  string // reason why the choice isn't available, "" if it is
	Path bool   // the user must enter a folder, which goes into Ask.Folder
	Slow bool   // the letter only selects the choice; enter takes it
	Ask  Ask

	Launch *Launch // the launch of this choice, if there are no further findings; nil if Path or Off is set
	Run    string  // the launch for display, with ~ and the start of the ID; "" if none
	Line   string  // the launch for a shell; set by the caller
}

// Plan is the result of PlanSession and PlanKept. It has a Launch, or findings with choices. If it has neither a Launch
// nor choices, the session can't be resumed, and the findings say what to do.
type Plan struct {
	Title    string // Resume, Fork, New session
	ID       string
	Folder   string // requested folder (Ask.Folder), "" if none
	In       Where  // here, window, split or popup
	Findings []Finding
	Choices  []Choice // the first one is suggested
	Launch   *Launch
}

// Has reports whether the plan has a finding of one of these kinds.
func (p *Plan) Has(kinds ...FindingKind) bool {
	return slices.ContainsFunc(p.Findings, func(f Finding) bool { return slices.Contains(kinds, f.Kind) })
}

// Launch is a program to run. Its arguments are passed directly, never through a shell.
type Launch struct {
	Argv   []string // program and arguments
	Dir    string
	In     Where
	Make   []string // command that creates Dir first, mkdir or git; nil if Dir exists
	Pane   string   // go to this pane and run nothing
	Writes string   // ID of the session that the client writes, "" for a new session
	Second bool     // another client has the session open, and the user chose to open it anyway

	Row     sessions.Row // the session to resume (also for a backup), or the row for which a new session is started
	Restore string       // path of the backup to restore first; the restored session gets the ID in Writes; "" if none
	Fresh   bool         // restore under a new ID
	From    string       // path of the session from which Row is forked first; "" if none
	At      string       // ID of the last message of that fork
}
