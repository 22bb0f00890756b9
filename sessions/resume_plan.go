package sessions

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// anywhereFrom is the first client that looks for an id in all projects, not only in that of the folder that it is
// started in (its documentation; observed with 2.1.329).
const anywhereFrom = "2.1.223"

// PlanResume decides how a session can be gone on with. It is pure: the same facts and the same answers give the same
// plan. One question is asked at a time, the most serious first; each choice carries the answers so far, and when
// nothing is left to ask the plan has a Launch.
func PlanResume(f ResumeFacts, ask ResumeAsk) ResumePlan {
	g := &resumeGuard{ResumeFacts: f, ask: ask}
	if ask.Pane != "" {
		return g.plan(nil, nil, &Launch{Pane: ask.Pane})
	}
	for _, look := range []func() (*Finding, []Choice){g.hopeless, g.live, g.noClaude, g.stub, g.folder, g.lookup, g.terminal} {
		if found, choices := look(); found != nil {
			return g.plan([]Finding{*found}, choices, nil)
		}
	}
	if harmless := g.harmless(); len(harmless) > 0 && !ask.Known {
		return g.plan(harmless, g.goOn(), nil)
	}
	return g.plan(nil, nil, g.launch())
}

// resumeGuard is one run of PlanResume.
type resumeGuard struct {
	ResumeFacts
	ask ResumeAsk
}

func (g *resumeGuard) plan(found []Finding, choices []Choice, launch *Launch) ResumePlan {
	title := "Resume"
	switch {
	case g.ask.New:
		title = "New session"
	case g.ask.Fork:
		title = "Fork"
	}
	for i := range choices {
		if choices[i].Run == "" && !choices[i].Path {
			choices[i].Run = g.shown(choices[i].Ask)
		}
	}
	return ResumePlan{Title: title, ID: g.Row.ID, Findings: found, Choices: choices, Launch: launch}
}

// hopeless is what no answer changes.
func (g *resumeGuard) hopeless() (*Finding, []Choice) {
	r := &g.Row
	found := func(kind FindingKind, what, detail string) (*Finding, []Choice) {
		return &Finding{kind, what, detail}, nil
	}
	switch {
	case r.Kind != KindSession:
		return found(FindingKindOfRow, "A "+string(r.Kind)+" cannot be resumed.", "Choose a session.")
	case r.Deleted, g.Missing:
		return found(FindingFileGone, "The file of this session is gone.", g.short(r.Path)+" is not there any more. A backup may be left.")
	case r.Has(FlagBackupOnly):
		return found(FindingBackupOnly, "Only a copy of this session is left.", "claude cannot resume a copy. It can be read.")
	case r.Has(FlagNotResumable), !IsUUID(r.ID):
		return found(FindingNoID, "The name of this file is no session id.", "claude cannot resume "+g.short(r.Path)+". It can be read.")
	case r.State == StateUnreadable:
		return found(FindingUnreadable, "This session cannot be read.", g.reason())
	}
	return nil, nil
}

// live is another client that has it open: what both write branches, and the client shows one branch only
// (client 2.1.329). A fork leaves the live session as it is.
func (g *resumeGuard) live() (*Finding, []Choice) {
	if len(g.Clients) == 0 || g.ask.Second || g.ask.Fork || g.ask.New {
		return nil, nil
	}
	var choices []Choice
	if i := slices.IndexFunc(g.Clients, func(c Client) bool { return c.Pane != "" }); i >= 0 {
		c := &g.Clients[i]
		choices = append(choices, Choice{
			Key: "a", Name: "Attach", Note: "go to where it runs", Run: "tmux switch-client -t " + clean(c.PaneName),
			Ask: g.with(func(a *ResumeAsk) { a.Pane = c.Pane }),
		})
	}
	choices = append(
		choices, g.fork(),
		Choice{
			Key: "o", Name: "Open", Note: "as a second writer: what one of the two writes will be hidden",
			Ask: g.with(func(a *ResumeAsk) { a.Second = true }),
		},
	)
	return &Finding{FindingLive, "This session is live elsewhere.", g.who() +
		" A second writer would split the conversation, and resume would show only one branch of it."}, choices
}

func (g *resumeGuard) noClaude() (*Finding, []Choice) {
	if g.Claude.Path != "" {
		return nil, nil
	}
	if name := g.Claude.Name; name != "" && name != "claude" {
		return &Finding{
			FindingNoClaude, "The command " + clean(name) + " cannot be found.",
			"The config names it as claude.command. Correct it there, or install it.",
		}, nil
	}
	return &Finding{
		FindingNoClaude, "The command claude is not on the PATH.",
		"Install it, add its folder to PATH, or name it in the config as claude.command.",
	}, nil
}

func (g *resumeGuard) stub() (*Finding, []Choice) {
	r := &g.Row
	if g.ask.New || r.State != StateStub && r.State != StateEmpty && (!r.Exact || r.Messages > 0) {
		return nil, nil
	}
	return &Finding{FindingStub, "There is nothing in this session to resume.", "It has no messages, and claude would say that it does not exist."},
		[]Choice{{
			Key: "n", Name: "New session", Note: "start claude in " + g.short(g.Folder.Path),
			Ask: g.with(func(a *ResumeAsk) { a.New = true }),
		}}
}

// folder is where the client would start. What the session names is below it.
func (g *resumeGuard) folder() (*Finding, []Choice) {
	path := g.short(g.Folder.Path)
	other := Choice{Key: "p", Name: "Another folder", Note: "you name it", Path: true, Ask: g.ask, Off: g.onlyInProject()}
	var main []Choice
	if g.Main != "" {
		main = []Choice{{
			Key: "m", Name: "Main folder", Note: "start in " + g.short(g.Main), Off: g.onlyInProject(),
			Ask: g.with(func(a *ResumeAsk) { a.Folder = g.Main }),
		}}
		if g.Tree.Removed {
			main[0].Name = "Main worktree"
		}
	}
	found := func(what, detail string) (*Finding, []Choice) {
		return &Finding{FindingFolder, what, detail}, append(main, other)
	}
	switch g.Folder.State {
	case FolderThere:
		return nil, nil
	case FolderUnknown:
		return found("The transcript does not say which folder the session is of.", "claude has to be started in one.")
	case FolderRelative:
		return found("The folder of this session is "+path+".", "That is no whole path on this system.")
	case FolderFile:
		return found(path+" is no folder.", "The session was started in it.")
	case FolderDenied:
		return found("The folder "+path+" cannot be opened.", "Permission denied.")
	case FolderSilent:
		return found("The folder "+path+" does not answer.", "It may be on a disk that is not mounted. Mount it, then resume.")
	case FolderGone:
	}
	if g.ask.Make {
		return nil, nil
	}
	kind, what := FindingFolder, "The folder "+path+" is gone."
	detail := "The session was started in it, and its files were there."
	if g.ask.Folder != "" {
		what, detail = "There is no folder "+path+".", "claude has to be started in one that is there."
	}
	again := Choice{
		Key: "c", Name: "Recreate", Note: "make " + path + ", empty", Run: "mkdir -p " + path,
		Ask: g.with(func(a *ResumeAsk) { a.Make = true }),
	}
	if g.Tree.Removed && g.ask.Folder == "" {
		kind, what = FindingWorktree, "The worktree "+path+" was removed."
		detail = "The session was started in it."
		if g.Tree.Branch != "" {
			detail += " Its branch " + clean(g.Tree.Branch) + " is still there."
			again.Note, again.Run = "make it again from its branch", g.shortAll(strings.Join(g.treeArgv(), " "))
		}
	}
	return &Finding{kind, what, detail}, append(main, again, other)
}

// lookup is which file the client would take: it looks in the project of its folder first, then in all others, and
// there only if exactly one has the id (its documentation).
func (g *resumeGuard) lookup() (*Finding, []Choice) {
	if g.ask.New {
		return nil, nil
	}
	other := Choice{Key: "p", Name: "Another folder", Note: "you name it", Path: true, Ask: g.ask}
	back := []Choice{other}
	if g.ask.Folder != "" && g.ask.Folder != g.Row.Workdir {
		back = []Choice{{
			Key: "b", Name: "Its own folder", Note: "start in " + g.short(g.Row.Workdir),
			Ask: g.with(func(a *ResumeAsk) { a.Folder = "" }),
		}, other}
	}
	if g.inProject(g.Row.Path) {
		return nil, nil
	}
	if i := slices.IndexFunc(g.Twins, func(t Twin) bool { return g.inProject(t.Path) }); i >= 0 {
		if g.ask.Known {
			return nil, nil
		}
		t := &g.Twins[i]
		found := &Finding{
			FindingOtherFile, "In this folder claude would open another file of the same id.",
			"From " + g.short(g.Folder.Path) + " it takes " + g.short(t.Path) + ", of " + g.ago(t.Last) + ".",
		}
		return found, append(back, Choice{
			Key: "t", Name: "Take that one", Note: "go on with the other file", Ask: g.with(func(a *ResumeAsk) { a.Known = true }),
		})
	}
	if len(g.Twins) > 0 {
		return &Finding{
			FindingNotFound, "In this folder claude would not find the session.",
			"Its id is in " + strconv.Itoa(len(g.Twins)+1) + " projects, so claude looks no further than the project of the folder.",
		}, back
	}
	if why := g.onlyInProject(); why != "" {
		return &Finding{
			FindingNeedsNewer, "In this folder your claude would not find the session.",
			"Version " + clean(g.Claude.Version) + " looks in the project of the folder only, " + anywhereFrom + " everywhere. To update: claude update.",
		}, back
	}
	return nil, nil
}

// inProject reports whether a client in the folder takes a transcript for one of its own project.
func (g *resumeGuard) inProject(path string) bool {
	folder := g.Folder.Real
	if folder == "" {
		folder = g.Folder.Path
	}
	return filepath.Base(filepath.Dir(path)) == Slug(folder)
}

// onlyInProject is the reason why the client finds a session in no other folder; "" when it does.
func (g *resumeGuard) onlyInProject() string {
	if g.Claude.Version == "" || !olderVersion(g.Claude.Version, anywhereFrom) || g.ask.New {
		return ""
	}
	return "claude " + clean(g.Claude.Version) + " looks only there"
}

// terminal is whether there is a place of the kind that is asked for.
func (g *resumeGuard) terminal() (*Finding, []Choice) {
	here := []Choice{{
		Key: "h", Name: "Here", Note: "in this terminal, until it ends", Ask: g.with(func(a *ResumeAsk) { a.In = WhereHere }),
	}}
	switch in := g.where(); {
	case in == WhereHere:
	case !g.Tmux:
		return &Finding{FindingNoTmux, "This is not inside tmux.", "A " + string(in) + " needs it."}, here
	case in == WherePopup && g.Popup:
		return &Finding{FindingPopupInside, "A popup cannot open another.", "Take a window: it stays when the popup closes."},
			append([]Choice{{
				Key: "w", Name: "Window", Note: "a window of its own", Ask: g.with(func(a *ResumeAsk) { a.In = WhereWindow }),
			}}, here...)
	}
	return nil, nil
}

// where settles auto: in this terminal, but a popup closes with what is in it.
func (g *resumeGuard) where() Where {
	in := g.ask.In
	if in == "" {
		in = g.In
	}
	switch {
	case in != "" && in != WhereAuto:
		return in
	case g.Popup:
		return WhereWindow
	}
	return WhereHere
}

// harmless is what one should know and may go on with.
func (g *resumeGuard) harmless() []Finding {
	var list []Finding
	if g.ask.New {
		return nil
	}
	if g.Row.State == StateDamaged && !g.ask.Fork {
		list = append(list, Finding{
			FindingDamaged, "This session is damaged.",
			g.reason() + " claude goes on from what it can link and may show less than continuo does. It adds to the file; what is there stays.",
		})
	}
	if olderVersion(g.Claude.Version, g.Row.Version) {
		list = append(list, Finding{
			FindingOlderClient, "This session was written by a newer claude.",
			"Its last record is of " + clean(g.Row.Version) + ", yours is " + clean(g.Claude.Version) + " and may not know what is in it. To update: claude update.",
		})
	}
	if n := len(g.Twins); n > 0 {
		list = append(list, Finding{
			FindingDuplicate, "The id of this session is in " + strconv.Itoa(n+1) + " projects.",
			"In " + g.short(g.Folder.Path) + " claude takes this one. The other: " + g.short(g.Twins[0].Path) + ", of " + g.ago(g.Twins[0].Last) + ".",
		})
	}
	return list
}

// goOn are the choices for what does no harm.
func (g *resumeGuard) goOn() []Choice {
	known := func(a *ResumeAsk) { a.Known = true }
	if g.ask.Fork {
		return []Choice{{Key: "f", Name: "Fork", Note: "all the same", Ask: g.with(known)}}
	}
	fork := g.fork()
	fork.Ask.Known = true
	return []Choice{{Key: "r", Name: "Resume", Note: "all the same", Ask: g.with(known)}, fork}
}

func (g *resumeGuard) fork() Choice {
	return Choice{
		Key: "f", Name: "Fork", Note: "a new session that starts with all of this one",
		Ask: g.with(func(a *ResumeAsk) { a.Fork = true }),
	}
}

// with is what was asked with one more answer.
func (g *resumeGuard) with(answer func(*ResumeAsk)) ResumeAsk {
	a := g.ask
	answer(&a)
	return a
}

func (g *resumeGuard) launch() *Launch {
	l := &Launch{Dir: g.Folder.Path, In: g.where(), Argv: append([]string{g.Claude.Path}, g.Claude.Args...)}
	if !g.ask.New {
		l.Argv = append(l.Argv, "--resume", g.Row.ID)
	}
	switch {
	case g.ask.Fork:
		l.Argv = append(l.Argv, "--fork-session")
	case !g.ask.New:
		l.Writes, l.Second = g.Row.ID, g.ask.Second
	}
	l.Argv = append(l.Argv, g.ask.Args...)
	if g.Folder.State == FolderGone {
		l.Make = g.makeArgv()
	}
	return l
}

func (g *resumeGuard) makeArgv() []string {
	if g.Tree.Removed && g.Tree.Branch != "" && g.ask.Folder == "" {
		return g.treeArgv()
	}
	return []string{"mkdir", "-p", g.Folder.Path}
}

// treeArgv makes a worktree again.
func (g *resumeGuard) treeArgv() []string {
	argv := []string{"git", "-C", g.Main, "worktree", "add"}
	if g.Tree.Listed {
		argv = append(argv, "-f")
	}
	return append(argv, "--", g.Folder.Path, g.Tree.Branch)
}
