package resume

import (
	"path/filepath"
	"slices"
	"strconv"

	"github.com/continuo-tui/continuo/sessions"
)

// anywhereFrom is the first version of Claude Code that searches all projects for a session ID. Earlier ones search
// the project of their folder. Source: the documentation of Claude Code; observed with 2.1.330.
const anywhereFrom = "2.1.223"

// PlanSession returns how to resume a session. It is a pure function of the facts and the answers so far. A plan with
// findings and choices asks the most serious open question. The Ask of each choice has one more answer. Without more
// questions, the plan has a Launch.
func PlanSession(f Facts, ask Ask) Plan {
	g := &guard{Facts: f, ask: ask}
	return g.decide()
}

// decide returns the plan for the first open question.
func (g *guard) decide() Plan {
	ask := g.ask
	if ask.Pane != "" {
		return g.plan(nil, nil, g.launch())
	}
	for _, look := range []func() (*Finding, []Choice){g.hopeless, g.live, g.noClaude, g.stub, g.folder, g.lookup, g.terminal} {
		if found, choices := look(); found != nil {
			list := []Finding{*found}
			if len(choices) > 0 && (found.Kind == FindingLive || found.Kind == FindingUnsure) && !ask.Known {
				harmless := g.harmless()
				list = append(list, harmless...)
				for i := range choices {
					choices[i].Ask.Known = len(harmless) > 0
				}
			}
			return g.plan(list, choices, nil)
		}
	}
	if harmless := g.harmless(); len(harmless) > 0 && !ask.Known {
		return g.plan(harmless, g.goOn(), nil)
	}
	return g.plan(nil, nil, g.launch())
}

// guard is the state of one call of PlanSession.
type guard struct {
	Facts
	ask Ask

	prompt  func(folder string) string // returns the prompt of a new session; nil if there is none
	restore string                     // path of a backup to restore first, or ""
	fresh   bool                       // restore the backup under a new ID
}

// anew reports whether the launch starts an empty session.
func (g *guard) anew() bool { return g.ask.New || g.prompt != nil }

func (g *guard) plan(found []Finding, choices []Choice, launch *Launch) Plan {
	title := "Resume"
	switch {
	case g.ask.New:
		title = "New session"
	case g.ask.Fork:
		title = "Fork"
	}
	for i := range choices {
		if c := &choices[i]; !c.Path && c.Off == "" {
			c.Launch = g.answered(c.Ask).launch()
			if c.Run == "" {
				c.Run = g.shown(c.Launch)
			}
		}
	}
	return Plan{
		Title: title, ID: g.Row.ID, Folder: g.ask.Folder, In: g.where(),
		Findings: found, Choices: choices, Launch: launch,
	}
}

// hopeless returns the finding that makes resuming impossible, or nil.
func (g *guard) hopeless() (*Finding, []Choice) {
	r := &g.Row
	if g.anew() { // a new session doesn't need the transcript
		return nil, nil
	}
	found := func(kind FindingKind, what, detail string) (*Finding, []Choice) {
		return &Finding{kind, what, detail}, nil
	}
	switch {
	case r.Kind != sessions.KindSession:
		return found(FindingKindOfRow, "A "+string(r.Kind)+" cannot be resumed.", "Choose a session.")
	case r.Deleted, g.Missing:
		return found(FindingFileGone, "The transcript of this session is gone.", g.short(r.Path)+" no longer exists. A backup may exist.")
	case r.Has(sessions.FlagNotResumable), !sessions.IsUUID(r.ID):
		return found(FindingNoID, "The file name isn't a session ID.", "claude cannot resume "+g.short(r.Path)+". continuo can still show it.")
	case r.Dir == "":
		return found(FindingNoDir, "This file isn't in a Claude config directory.", "claude resumes only files below projects/. continuo can still show this one.")
	case r.State == sessions.StateUnreadable:
		return found(FindingUnreadable, "This session cannot be read.", g.reason())
	}
	return nil, nil
}

// live asks what to do if another client has the session open. Two writers fork the conversation, and the client
// shows one branch (client 2.1.330). Fork doesn't change the live session.
func (g *guard) live() (*Finding, []Choice) {
	if len(g.Clients) == 0 && g.Unsure == "" || g.ask.Second || g.ask.Fork || g.anew() {
		return nil, nil
	}
	var choices []Choice
	if i := slices.IndexFunc(g.Clients, func(c Client) bool { return c.Pane != "" }); i >= 0 {
		c := &g.Clients[i]
		choices = append(choices, Choice{
			Key: "a", Name: "Attach", Note: "switch to its tmux pane",
			Run: "tmux switch-client -t " + clean(c.PaneName),
			Ask: g.askWith(func(a *Ask) { a.Pane = c.Pane }),
		})
	}
	choices = append(
		choices, g.fork(),
		Choice{
			Key: "o", Name: "Open", Note: "two writers fork the session; one branch becomes hidden", Slow: true,
			Ask: g.askWith(func(a *Ask) { a.Second = true }),
		},
	)
	if len(g.Clients) == 0 {
		return &Finding{FindingUnsure, "continuo couldn't check whether this session is live.", g.sentence(g.Unsure) +
			" If it is open elsewhere, two writers would fork the session, and resume would show only one branch."}, choices
	}
	return &Finding{FindingLive, "This session is live elsewhere.", g.who() +
		" Two writers would fork the session, and resume would show only one branch."}, choices
}

func (g *guard) noClaude() (*Finding, []Choice) {
	if g.Claude.Path != "" {
		return nil, nil
	}
	if name := g.Claude.Name; name != "" && name != "claude" {
		return &Finding{
			FindingNoClaude, "The command " + clean(name) + " cannot be found.",
			"It is set as claude.command in the config. Change it there, or install it.",
		}, nil
	}
	return &Finding{
		FindingNoClaude, "The command claude is not on the PATH.",
		"Install it, add its folder to PATH, or name it in the config as claude.command.",
	}, nil
}

func (g *guard) stub() (*Finding, []Choice) {
	r := &g.Row
	if g.anew() || r.State != sessions.StateStub && r.State != sessions.StateEmpty && (!r.Exact || r.Messages > 0) {
		return nil, nil
	}
	return &Finding{FindingStub, "This session is empty.", "It has no messages. claude would report that the session doesn't exist."},
		[]Choice{{
			Key: "n", Name: "New session", Note: "start claude in " + g.short(g.Folder.Path),
			Ask: g.askWith(func(a *Ask) { a.New = true }),
		}}
}

// folder asks about the folder of the client.
func (g *guard) folder() (*Finding, []Choice) {
	path := g.short(g.Folder.Path)
	other := Choice{Key: "d", Name: "Another folder", Note: "choose a folder", Path: true, Ask: g.ask, Off: g.onlyInProject()}
	var main []Choice
	if g.Main != "" {
		main = []Choice{{
			Key: "m", Name: "Main folder", Note: "start in " + g.short(g.Main), Off: g.onlyInProject(),
			Ask: g.askWith(func(a *Ask) { a.Folder = g.Main }),
		}}
		if g.Tree.Removed {
			main[0].Name = "Main worktree"
		}
	}
	found := func(what, detail string) (*Finding, []Choice) {
		return &Finding{FindingFolder, what, detail}, append(main, other)
	}
	switch g.Folder.State {
	case sessions.FolderThere:
		return nil, nil
	case sessions.FolderUnknown:
		if g.prompt != nil {
			return found("The project of this "+string(g.Row.Kind)+" is unknown.", "Choose the folder to start claude in.")
		}
		return found("The transcript doesn't name the folder of the session.", "Choose the folder to start claude in.")
	case sessions.FolderRelative:
		return found("The folder of this session is "+path+".", "The path isn't absolute on this system.")
	case sessions.FolderFile:
		return found(path+" isn't a folder.", "It was a folder when the session was started.")
	case sessions.FolderDenied:
		return found("The folder "+path+" cannot be opened.", "Permission denied.")
	case sessions.FolderSilent:
		return found("The folder "+path+" doesn't respond.", "It may be on a disk that is not mounted. Mount it, then resume.")
	case sessions.FolderGone:
	}
	if g.ask.Make {
		return nil, nil
	}
	kind, what := FindingFolder, "The folder "+path+" is gone."
	detail := "The session was started in this folder and used its files."
	if g.ask.Folder != "" {
		what, detail = "There is no folder "+path+".", "Choose a folder that exists."
	}
	again := Choice{
		Key: "c", Name: "Recreate", Note: "create an empty folder and start there",
		Ask: g.askWith(func(a *Ask) { a.Make = true }),
	}
	if g.ask.Folder != "" {
		again.Name, again.Note = "Make it", "create an empty folder and start there"
	}
	if g.Tree.Removed && g.ask.Folder == "" {
		kind, what = FindingWorktree, "The worktree "+path+" was removed."
		detail = "The session was started in this worktree."
		if g.Tree.Branch != "" {
			detail += " Its branch " + clean(g.Tree.Branch) + " is still there."
			again.Note = "create it again from its branch, without git hooks and filters"
		}
	}
	return &Finding{kind, what, detail}, append(main, other, again) // the default choice must not create a folder
}

// lookup asks what to do if Claude Code would not open this file. It searches the project of its folder for the ID,
// then all others, where the ID must be unique. Source: the documentation of Claude Code.
func (g *guard) lookup() (*Finding, []Choice) {
	if g.anew() {
		return nil, nil
	}
	other := Choice{Key: "d", Name: "Another folder", Note: "choose a folder", Path: true, Ask: g.ask}
	back := []Choice{other}
	if g.ask.Folder != "" && g.ask.Folder != g.Row.Workdir {
		back = []Choice{{
			Key: "b", Name: "Its own folder", Note: "start in " + g.short(g.Row.Workdir),
			Ask: g.askWith(func(a *Ask) { a.Folder = "" }),
		}, other}
	}
	if g.inProject(g.Row.Path) {
		return nil, nil
	}
	if i := slices.IndexFunc(g.Twins, func(t Twin) bool { return g.inProject(t.Path) }); i >= 0 {
		if g.ask.Other {
			return nil, nil
		}
		t := &g.Twins[i]
		found := &Finding{
			FindingOtherFile, "In this folder claude would open another file with the same ID.",
			"From " + g.short(g.Folder.Path) + " it opens " + g.short(t.Path) + ", last used " + g.ago(t.Last) + ".",
		}
		return found, append(back, Choice{
			Key: "t", Name: "That file", Note: "resume the other file", Ask: g.askWith(func(a *Ask) { a.Other = true }),
		})
	}
	if len(g.Twins) > 0 {
		return &Finding{
			FindingNotFound, "claude would not find the session from this folder.",
			"Its ID is in " + strconv.Itoa(len(g.Twins)+1) + " projects, so claude only searches the project of this folder.",
		}, back
	}
	if why := g.onlyInProject(); why != "" {
		return &Finding{
			FindingNeedsNewer, "claude would not find the session from this folder.",
			"claude " + clean(g.Claude.Version) + " only searches the project of the folder; " + anywhereFrom + " and later search all projects. Update with: claude update.",
		}, back
	}
	return nil, nil
}

// inProject reports whether a transcript is in the project of g.Folder, which Claude Code searches first.
func (g *guard) inProject(path string) bool {
	folder := g.Folder.Real
	if folder == "" {
		folder = g.Folder.Path
	}
	return filepath.Base(filepath.Dir(path)) == sessions.Slug(folder)
}

// onlyInProject returns why Claude Code finds the session only from the session's folder, or "".
func (g *guard) onlyInProject() string {
	if g.Claude.Version == "" || !olderVersion(g.Claude.Version, anywhereFrom) || g.anew() {
		return ""
	}
	return "claude " + clean(g.Claude.Version) + " would not find it there"
}
