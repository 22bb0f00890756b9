// Package resume decides how to resume a session, a backup or a document. Its pure functions get facts and the user's
// answers, and return findings with choices, or a Launch. The caller collects the facts and runs the Launch.
package resume

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Where is the place of the client.
type Where string

// The values of Where. WhereAuto means WhereHere, but WhereWindow in a tmux popup, which closes when its program
// ends.
const (
	WhereAuto   Where = "auto"
	WhereHere   Where = "here"   // in this terminal, until it ends
	WhereWindow Where = "window" // this and the following two need tmux
	WhereSplit  Where = "split"
	WherePopup  Where = "popup"
	// WhereContinuo means a screen of continuo, which sends the prompts.
	WhereContinuo Where = "continuo"
)

// Ask is the user's request with all answers so far. The zero value resumes the session in its own folder.
type Ask struct {
	In     Where    // "" means the setting in the config
	Fork   bool     // start a new session with the whole conversation
	At     string   // with Fork: ID of the last message to copy; "" for all
	New    bool     // start a new, empty session in the folder
	Folder string   // start in this folder; "" means the folder of the session
	Make   bool     // create the missing folder, with git for a worktree
	Second bool     // resume although another client has the session open
	Known  bool     // continue despite the harmless findings
	Other  bool     // resume the other transcript with the same ID
	Pane   string   // switch to this tmux pane instead of starting a client
	Args   []string // more arguments for the client
	Take   Take     // for a backup or document; "" asks
	As     string   // for TakeNew and At: ID of the new transcript; "" for a generated one
}

// Facts is the input of PlanSession.
type Facts struct {
	Row     sessions.Row
	Missing bool            // the transcript doesn't exist
	Clients []Client        // clients that have the session open, or are being started with it
	Unsure  string          // why there may be more clients; "" if there are none
	Twins   []Twin          // other transcripts with this ID in the same config dir, with messages
	Folder  sessions.Folder // folder in which the client would start
	Main    string          // if Folder is missing: main folder of the project; "" if it is missing, too
	Tree    Tree            // if Folder is missing: what git knows about it
	Claude  Claude
	In      Where // setting in the config; "" means auto
	Tmux    bool  // continuo runs inside tmux
	Popup   bool  // continuo runs inside a tmux popup
	Cut     *Cut  // for Ask.At: the messages to fork
	Home    string
	Now     time.Time // current time; its location is the time zone for texts
}

// Cut is a conversation up to one message.
type Cut struct {
	Messages, Of int    // numbers of prompts and answers: in Cut, and in the whole session
	Prompt       string // last prompt in Cut
	New          string // an unused session ID
}

// Client is a running client that has the session open.
type Client struct {
	sessions.Live
	Pane     string // tmux pane of the client; "" if it isn't in a known pane
	PaneName string // name of the pane, such as work:2
	TTY      string // terminal of a client without a pane, such as pts/5; "" if unknown
	Starting bool   // continuo has just started the client; it isn't in the registry yet
}

// Twin is another transcript with the same ID.
type Twin struct {
	Path    string
	Workdir string
	Last    time.Time
}

// Tree is what git knows about a missing folder.
type Tree struct {
	Removed bool   // the folder was a linked worktree
	Branch  string // branch for a new worktree; "" without one, or if another worktree uses it
	Listed  bool   // git still lists the worktree, so `git worktree add` needs -f
}

// Claude is the client to start.
type Claude struct {
	Path    string   // "" if not found
	Name    string   // command from the config
	Args    []string // arguments from the config, for every start
	Version string   // "" if unknown
}

// FindingKind is the kind of a Finding, for --json.
type FindingKind string

// The kinds of findings. Ask.Known skips those after the blank line, which are harmless.
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
	FindingOnlyCopy    FindingKind = "only-copy" // this and the next three are about a backup and its transcript
	FindingHeld        FindingKind = "held"
	FindingRewritten   FindingKind = "rewritten"
	FindingNotCompared FindingKind = "not-compared"
	FindingPending     FindingKind = "pending" // the backup is pending; for a document: its project has a pending backup
	FindingNotPending  FindingKind = "not-pending"
	FindingNoCommand   FindingKind = "no-command" // this and the next one are about a document
	FindingUnsafePath  FindingKind = "unsafe-path"
	FindingLoaded      FindingKind = "loaded-anyway"

	FindingCut         FindingKind = "fork-at"
	FindingDamaged     FindingKind = "damaged"
	FindingOlderClient FindingKind = "older-client"
	FindingDuplicate   FindingKind = "duplicate-id"
)

// Finding is a problem or fact that the user must know before the launch.
type Finding struct {
	Kind   FindingKind
	What   string // one sentence
	Detail string // consequences, details or advice; sentences
}

// Choice is a way to continue.
type Choice struct {
	Key  string // a letter, unique in the plan
	Name string // label, a few words
	Note string // short description
	Off  string // why the choice isn't available; "" if it is
	Path bool   // the user must also enter a folder, for Ask.Folder
	Slow bool   // the key only selects the choice; enter confirms it
	Ask  Ask

	Launch *Launch // the Launch without more questions; nil if Path or Off is set
	Run    string  // the Launch for display, with ~ and a short ID; "" if there is none
	Line   string  // the Launch as a shell command line; set by the caller
}

// Plan is the result of PlanSession and PlanKept: a Launch, or findings with choices. With findings alone, resuming
// isn't possible, and they have the solution.
type Plan struct {
	Title    string // "Resume", "Fork" or "New session"
	ID       string
	Folder   string // requested folder (Ask.Folder); "" if none
	In       Where  // here, window, split or popup
	Findings []Finding
	Choices  []Choice // the suggested one first
	Launch   *Launch
}

// Has reports whether the plan has a finding of one of these kinds.
func (p *Plan) Has(kinds ...FindingKind) bool {
	return slices.ContainsFunc(p.Findings, func(f Finding) bool { return slices.Contains(kinds, f.Kind) })
}

// Launch is a program to start without a shell.
type Launch struct {
	Argv   []string // program and arguments
	Dir    string
	In     Where
	Make   []string // command that creates Dir first (mkdir or git); nil if Dir exists
	Pane   string   // switch to this tmux pane instead of starting a program
	Writes string   // ID of the session to which the client will write; "" for a new session
	Second bool     // another client has the session open, and the user agreed to a second one

	Row     sessions.Row // the resumed session; for a new session: the selected row
	Restore string       // path of a backup to restore first, with the session ID in Writes; or ""
	Fresh   bool         // restore under a new ID
	From    string       // path of a transcript to fork first, which creates Row; or ""
	At      string       // with From: ID of the last message of the fork
}
