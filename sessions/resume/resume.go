// Package resume decides how to resume a session, a backup or a document. It gets facts and the answers of the user,
// and returns findings with choices, or a Launch. It is pure: the caller collects the facts and runs the Launch.
package resume

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Where is the place in which the client is started.
type Where string

// The places. WhereAuto usually means this terminal. But inside a tmux popup it means a window, because a popup closes
// when its program ends.
const (
	WhereAuto   Where = "auto"
	WhereHere   Where = "here"   // in this terminal, until it ends
	WhereWindow Where = "window" // this place and the following ones need tmux
	WhereSplit  Where = "split"
	WherePopup  Where = "popup"
	// WhereContinuo means that continuo drives the session, in its own screen.
	WhereContinuo Where = "continuo"
)

// Ask is the request of the user. The zero value resumes the session in its own folder. Each Choice of a plan has an
// Ask with one more answer.
type Ask struct {
	In     Where    // "" means the place that is set in the config
	Fork   bool     // start a new session with the whole conversation
	At     string   // if Fork is set: ID of the last message to copy; "" means the whole conversation
	New    bool     // start a new, empty session in the folder
	Folder string   // start in this folder; "" means the folder of the session
	Make   bool     // create the folder, which doesn't exist; if it was a worktree, git creates it
	Second bool     // open a live session as a second writer
	Known  bool     // continue despite harmless findings
	Other  bool     // resume the other file with the same ID
	Pane   string   // go to this tmux pane instead of starting a client
	Args   []string // more arguments for the client
	Take   Take     // way to resume a backup or a document; "" means that PlanKept asks
	As     string   // for TakeNew and At: ID of the new transcript; "" means a generated ID
}

// Facts is the input of PlanSession, which does no I/O.
type Facts struct {
	Row     sessions.Row
	Missing bool            // the file of the session doesn't exist
	Clients []Client        // clients that have the session open or are starting with it
	Unsure  string          // reason why there may be more clients; "" if it is certain that there are none
	Twins   []Twin          // other files in the same config dir that have the same ID and have messages
	Folder  sessions.Folder // folder in which the client would start
	Main    string          // main folder of the project, if Folder doesn't exist; "" if neither exists
	Tree    Tree            // what git knows about Folder, if Folder doesn't exist
	Claude  Claude
	In      Where // place that is set in the config; "" means auto
	Tmux    bool  // continuo runs inside tmux
	Popup   bool  // continuo runs inside a tmux popup
	Cut     *Cut  // for Ask.At: the part to fork
	Home    string
	Now     time.Time // current time; its location is the time zone for texts
}

// Cut is the conversation up to a message.
type Cut struct {
	Messages, Of int    // number of prompts and answers in the part, and in the session
	Prompt       string // the last prompt in the part
	New          string // an unused session ID
}

// Client is a running client that has the session open.
type Client struct {
	sessions.Live
	Pane     string // tmux pane of the client; "" if none was found
	PaneName string // name of the pane, such as work:2
	TTY      string // terminal if there is no pane, such as pts/5; "" if unknown
	Starting bool   // continuo has started the client, which isn't in the registry yet
}

// Twin is another transcript with the same ID.
type Twin struct {
	Path    string
	Workdir string
	Last    time.Time
}

// Tree describes what git knows about a folder that doesn't exist.
type Tree struct {
	Removed bool   // the folder was a linked worktree
	Branch  string // branch for recreating the worktree; "" if none, or if it is checked out in another worktree
	Listed  bool   // git still lists the worktree, so -f is needed to recreate it
}

// Claude is the client to start.
type Claude struct {
	Path    string   // "" if not found
	Name    string   // command from the config
	Args    []string // arguments for every start, from the config
	Version string   // "" if unknown
}

// FindingKind is the kind of a Finding, for programs.
type FindingKind string

// The kinds of findings. The findings after the blank line are harmless: Ask.Known skips them.
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
	FindingOnlyCopy    FindingKind = "only-copy" // this and the next three are about the live transcript of a backup
	FindingHeld        FindingKind = "held"
	FindingRewritten   FindingKind = "rewritten"
	FindingNotCompared FindingKind = "not-compared"
	FindingPending     FindingKind = "pending" // a backup is pending; for a document, a backup in its project
	FindingNotPending  FindingKind = "not-pending"
	FindingNoCommand   FindingKind = "no-command" // this and the next one are for a document
	FindingUnsafePath  FindingKind = "unsafe-path"
	FindingLoaded      FindingKind = "loaded-anyway"

	FindingCut         FindingKind = "fork-at"
	FindingDamaged     FindingKind = "damaged"
	FindingOlderClient FindingKind = "older-client"
	FindingDuplicate   FindingKind = "duplicate-id"
)

// Finding describes a problem in words.
type Finding struct {
	Kind   FindingKind
	What   string // one sentence
	Detail string // consequences, details and advice
}

// Choice is a way to continue.
type Choice struct {
	Key  string // one letter, unique in the plan
	Name string // label, a few words
	Note string // short description
	Off  string // reason why the choice isn't available; "" if it is available
	Path bool   // the user must enter a folder, which becomes Ask.Folder
	Slow bool   // the letter only selects the choice, and enter confirms it
	Ask  Ask

	Launch *Launch // the launch if there are no further findings; nil if Path or Off is set
	Run    string  // the launch for display, with ~ and a short ID; "" if none
	Line   string  // the launch for a shell; the caller sets it
}

// Plan is the result of PlanSession and PlanKept. It has a Launch, or findings with choices. If it has no Launch and no
// choices, the session can't be resumed, and the findings say what to do.
type Plan struct {
	Title    string // Resume, Fork, New session
	ID       string
	Folder   string // requested folder (Ask.Folder); "" if none
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
	Make   []string // command that creates Dir before the start (mkdir or git); nil if Dir exists
	Pane   string   // go to this pane instead of running a program
	Writes string   // ID of the session to which the client writes; "" for a new session
	Second bool     // the user opens the session although another client has it open

	Row     sessions.Row // the session to resume (also for a backup), or the row for which a new session starts
	Restore string       // path of a backup to restore first, as a session with the ID in Writes; "" if none
	Fresh   bool         // restore under a new ID
	From    string       // path of a session to fork first, so that Row exists; "" if none
	At      string       // ID of the last message of the fork
}
