package resume

import (
	"cmp"
	"path/filepath"
	"strconv"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// terminal returns a finding for an impossible window, split or popup.
func (g *guard) terminal() (*Finding, []Choice) {
	here := []Choice{{
		Key: "h", Name: "Here", Note: "in this terminal, until it ends", Ask: g.askWith(func(a *Ask) { a.In = WhereHere }),
	}}
	switch in := g.where(); {
	case in == WhereHere, in == WhereContinuo:
	case !g.Tmux:
		return &Finding{FindingNoTmux, "continuo isn't running inside tmux.", "A " + string(in) + " needs tmux."}, here
	case in == WherePopup && g.Popup:
		return &Finding{FindingPopupInside, "A tmux popup can't open another popup.", "Use a window: it stays open when the popup closes."},
			append([]Choice{{
				Key: "w", Name: "Window", Note: "a new tmux window", Ask: g.askWith(func(a *Ask) { a.In = WhereWindow }),
			}}, here...)
	}
	return nil, nil
}

// where returns where the client is started. WhereAuto becomes WhereHere, but WhereWindow in a popup, which closes
// when its program ends.
func (g *guard) where() Where {
	in := g.ask.In
	if in == "" && g.Tmux { // the setting applies only inside tmux
		in = g.In
		if in == WherePopup && g.Popup {
			in = WhereWindow
		}
	}
	switch {
	case in != "" && in != WhereAuto:
		return in
	case g.Popup:
		return WhereWindow
	}
	return WhereHere
}

// harmless returns the findings that Ask.Known skips.
func (g *guard) harmless() []Finding {
	var list []Finding
	if g.anew() {
		return nil
	}
	if c := g.Cut; c != nil {
		f := Finding{FindingCut, "The fork has " + strconv.Itoa(c.Messages) + " of " + strconv.Itoa(c.Of) + " messages.", "This session stays as it is."}
		if prompt := clean(c.Prompt); prompt != "" {
			f.Detail = "Its last prompt is “" + words.Cut(prompt, 60) + "”. " + f.Detail
		}
		list = append(list, f)
	}
	if g.Row.State == sessions.StateDamaged && !g.ask.Fork {
		list = append(list, Finding{
			FindingDamaged, "This session is damaged.",
			g.reason() + " claude resumes from the messages it can link and may show fewer than continuo. It appends to the file; existing lines stay.",
		})
	}
	if olderVersion(g.Claude.Version, g.Row.Version) {
		list = append(list, Finding{
			FindingOlderClient, "This session was written by a newer claude.",
			"Its last record is from claude " + clean(g.Row.Version) + "; yours is " + clean(g.Claude.Version) + " and may not read it. Update with: claude update.",
		})
	}
	if n := len(g.Twins); n > 0 && g.inProject(g.Row.Path) {
		list = append(list, Finding{
			FindingDuplicate, "The ID of this session is in " + strconv.Itoa(n+1) + " projects.",
			"In " + g.short(g.Folder.Path) + " claude opens this one. The other is " + g.short(g.Twins[0].Path) + ", last used " + g.ago(g.Twins[0].Last) + ".",
		})
	}
	return list
}

// goOn returns the choices after harmless findings.
func (g *guard) goOn() []Choice {
	known := func(a *Ask) { a.Known = true }
	if g.Cut != nil {
		return []Choice{{Key: "f", Name: "Fork", Note: "a new session with these messages", Ask: g.askWith(func(a *Ask) { a.Known, a.As = true, g.Cut.New })}}
	}
	if g.ask.Fork {
		return []Choice{{Key: "f", Name: "Fork", Note: "anyway", Ask: g.askWith(known)}}
	}
	fork := g.fork()
	fork.Ask.Known = true
	return []Choice{{Key: "r", Name: "Resume", Note: "anyway", Ask: g.askWith(known)}, fork}
}

func (g *guard) fork() Choice {
	return Choice{
		Key: "f", Name: "Fork", Note: "a new session with this history",
		Ask: g.askWith(func(a *Ask) { a.Fork = true }),
	}
}

// askWith returns the Ask of the guard with one more answer.
func (g *guard) askWith(answer func(*Ask)) Ask {
	a := g.ask
	answer(&a)
	return a
}

// answered returns the guard after an answer. It assumes that a new folder exists.
func (g *guard) answered(ask Ask) *guard {
	next := *g
	if next.ask = ask; ask.Folder != "" && ask.Folder != g.ask.Folder {
		next.Folder = sessions.Folder{Path: ask.Folder, Real: ask.Folder, State: sessions.FolderThere}
	}
	if ask.Folder == "" && g.ask.Folder != "" {
		next.Folder = sessions.Folder{Path: g.Row.Workdir, Real: g.Row.Workdir, State: sessions.FolderThere}
	}
	return &next
}

func (g *guard) launch() *Launch {
	if g.ask.Pane != "" {
		return &Launch{Pane: g.ask.Pane, Row: g.Row}
	}
	l := &Launch{Dir: g.Folder.Path, In: g.where(), Row: g.Row, Argv: []string{g.Claude.Path}}
	if g.prompt != nil {
		l.Argv = append(l.Argv, g.prompt(g.Folder.Path)) // first, because an option with several values would take it
	}
	l.Argv = append(l.Argv, g.Claude.Args...)
	if g.Cut != nil && !g.anew() {
		l.From, l.At, l.Row.ID = g.Row.Path, g.ask.At, cmp.Or(g.ask.As, g.Cut.New)
		l.Row.Path = filepath.Join(filepath.Dir(g.Row.Path), l.Row.ID+".jsonl")
	}
	if !g.anew() {
		l.Argv = append(l.Argv, "--resume", l.Row.ID)
		l.Restore, l.Fresh = g.restore, g.fresh
	}
	switch {
	case g.anew():
	case l.From != "":
		l.Writes = l.Row.ID
	case g.ask.Fork:
		l.Argv = append(l.Argv, "--fork-session")
	default:
		l.Writes, l.Second = g.Row.ID, g.ask.Second
	}
	l.Argv = append(l.Argv, g.ask.Args...)
	if g.Folder.State == sessions.FolderGone {
		l.Make = g.makeArgv()
	}
	return l
}

func (g *guard) makeArgv() []string {
	if g.Tree.Removed && g.Tree.Branch != "" && g.ask.Folder == "" {
		return g.treeArgv()
	}
	return []string{"mkdir", "-p", g.Folder.Path}
}

// treeArgv returns the git command that creates a removed worktree again.
func (g *guard) treeArgv() []string {
	argv := []string{"git", "-C", g.Main, "worktree", "add"}
	if g.Tree.Listed {
		argv = append(argv, "-f")
	}
	return append(argv, "--", g.Folder.Path, g.Tree.Branch)
}
