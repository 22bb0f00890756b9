package action

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// whereMenu returns the menu of the places for Claude Code, such as a tmux window.
func (a *Resume) whereMenu(row sessions.Row, fork bool) *dialog.MenuOptions {
	mn := &dialog.MenuOptions{Title: "Resume in", About: a.about(&row), ID: row.ID, Verb: "resume"}
	other := dialog.Offer{Key: "f", Name: "Fork", Note: "a new session instead", Off: a.whyNotFork(), Verb: "switch"}
	if fork {
		mn.Title, mn.Verb = "Fork in", "fork"
		other = dialog.Offer{Key: "r", Name: "Resume", Note: "this session instead", Verb: "switch"}
	}
	other.Do = screen.Reply{Msg: where{row, !fork}}
	add := func(key, name, note, off string, in resume.Where) {
		mn.Items = append(mn.Items, dialog.Offer{Key: key, Name: name, Note: note, Off: off, Do: screen.Reply{
			Msg: asked{row, resume.Ask{In: in, Fork: fork}},
		}})
	}
	var tmux, popup string
	switch {
	case !a.state.Tmux:
		tmux, popup = "not inside tmux", "not inside tmux"
	case a.state.Popup:
		popup = "a popup cannot open another"
	}
	add("w", "Window", "a new tmux window", tmux, resume.WhereWindow)
	add("s", "Split", "a new pane beside this one", tmux, resume.WhereSplit)
	add("p", "Popup", "a tmux popup, until Claude Code ends", popup, resume.WherePopup)
	add("h", "Here", "in this terminal, until it ends", "", resume.WhereHere)
	if row.Kind == sessions.KindSession && a.state.Drives {
		add("c", "In continuo", "write and answer here, until the browser is closed", "", resume.WhereContinuo)
	}
	folder := dialog.Offer{Key: "d", Name: "Another folder", Note: "enter the folder to start in", Verb: "name it"}
	folder.Do = screen.Reply{Msg: naming{row, resume.Ask{Fork: fork}}}
	mn.Items = append(mn.Items, folder)
	if row.Kind == sessions.KindSession {
		mn.Items = append(mn.Items, other)
	}
	return mn
}

// forkMenu asks where a fork ends: at the selected message or at the last message.
func (a *Resume) forkMenu(row sessions.Row, at *screen.At) *dialog.MenuOptions {
	offer := func(key, name, note string, ask resume.Ask) dialog.Offer {
		return dialog.Offer{Key: key, Name: name, Note: note, Do: screen.Reply{Msg: asked{row, ask}}}
	}
	return &dialog.MenuOptions{
		Title: "Fork", About: a.about(&row), ID: row.ID, Verb: "fork", Note: "A fork is a new session. This one stays as it is.",
		Items: []dialog.Offer{
			offer("h", "Fork here", "up to "+at.Name, resume.Ask{Fork: true, At: at.ID}),
			offer("f", "Fork at the end", "the whole conversation", resume.Ask{Fork: true}),
		},
	}
}

// about returns the name of a row for the plan: a title or the time of a backup.
func (a *Resume) about(row *sessions.Row) string {
	switch row.Kind {
	case sessions.KindBackup:
		return cmp.Or(words.Moment(a.state.Now, row.When()), transcript.CleanLine(row.ID))
	case sessions.KindDocument:
		return transcript.CleanLine(row.ID)
	case sessions.KindSession:
	}
	return render.Title(row)
}

func (a *Resume) planMenu(row sessions.Row, plan *resume.Plan) *dialog.MenuOptions {
	mn := &dialog.MenuOptions{Title: plan.Title, About: a.about(&row), ID: plan.ID, Note: "Nothing has run yet.", Plan: true}
	if known := a.knownPoint(&row, plan); known.What != "" {
		mn.Points = append(mn.Points, known)
	}
	for _, f := range plan.Findings {
		pt := dialog.Point{Glyph: render.FindingGlyph(f.Kind), What: f.What, Detail: f.Detail}
		if len(plan.Choices) == 0 {
			pt.Glyph = render.Span{Ink: render.Bad, Text: "✗"}
		}
		mn.Points = append(mn.Points, pt)
	}
	if len(plan.Choices) > 0 {
		mn.Note += a.startOf(plan)
	}
	for _, c := range plan.Choices {
		it := dialog.Offer{Key: c.Key, Name: c.Name, Note: c.Note, Run: c.Run, Line: c.Line, Off: c.Off, Verb: verbOf(&c), Slow: c.Slow}
		it.Do = screen.Reply{Msg: asked{row, c.Ask}}
		if c.Path {
			it.Do = screen.Reply{Msg: naming{row, c.Ask}}
		}
		mn.Items = append(mn.Items, it)
	}
	return mn
}

// knownPoint says how much of the conversation Claude still knows after the resume.
func (a *Resume) knownPoint(row *sessions.Row, plan *resume.Plan) dialog.Point {
	if row.Kind != sessions.KindSession || !row.Counted() || row.Known == 0 || len(plan.Choices) == 0 || plan.Has(resume.FindingCut) || plan.Title != "Resume" && plan.Title != "Fork" {
		return dialog.Point{}
	}
	detail := ""
	if used := render.LastUsed(row, a.state.Now); used != "" {
		detail = strings.ToUpper(used[:1]) + used[1:] + "."
	}
	what := render.StillKnown(row.Known, row.Messages, row.ContextTokens)
	if price := render.ReadAgain(&a.state.Prices, row, a.state.Now); price != "" {
		what += ", " + price
	}
	return dialog.Point{Glyph: render.Span{Ink: render.Muted, Text: "·"}, What: what + ".", Detail: detail}
}

// startOf describes the chosen folder and tmux target, if they are valid.
func (a *Resume) startOf(plan *resume.Plan) string {
	var at []string
	if plan.Folder != "" && !plan.Has(resume.FindingFolder) {
		at = append(at, "in "+render.Folder(plan.Folder, a.state.Home))
	}
	if in := plan.In; in != "" && in != resume.WhereHere && in != resume.WhereAuto && in != resume.WhereContinuo &&
		!plan.Has(resume.FindingNoTmux, resume.FindingPopupInside) {
		at = append(at, "in a "+string(in))
	}
	if len(at) == 0 {
		return ""
	}
	return " Claude Code starts " + strings.Join(at, ", ") + "."
}

// verbOf returns the verb for a choice.
func verbOf(c *resume.Choice) string {
	if c.Path {
		return "name it"
	}
	switch c.Name {
	case "Fork", "Attach", "Resume", "Recreate", "Make it", "Open":
		return strings.ToLower(c.Name)
	case "Restore and resume", "Restore as new":
		return "restore and start"
	}
	return "start"
}

// mostProjects is the maximum number of session folders that are checked on the disk.
const mostProjects = 24

// nameFolder asks for a folder. The field has the folder that was entered before, or the session's folder.
func (a *Resume) nameFolder(row sessions.Row, ask resume.Ask) []screen.Effect {
	named := transcript.CleanLine(render.Folder(cmp.Or(ask.Folder, row.Workdir), a.state.Home))
	title, about := "Another folder", screen.ShortID(row.ID)
	if ask.New && ask.Folder == "" {
		title, about = "New session", "in this folder"
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewFolder(dialog.FolderOptions{
		Context: a.state.Context, Folders: a.state.Actions, Title: title, Verb: "start here", About: about, Known: a.projectFolders(row.Workdir), Text: named,
		Take: func(folder string) screen.Effect {
			ask.Folder = folder
			return screen.Reply{Msg: asked{row, ask}}
		},
	})}}
}

// projectFolders returns the folders of the newest sessions without duplicates, except for own.
func (a *Resume) projectFolders(own string) []string {
	newest := map[string]*sessions.Row{}
	for row := range a.state.Lists.Rows(sessions.KindSession) {
		if p := row.Project; p != "" && p != own && (newest[p] == nil || row.Compare(newest[p]) < 0) {
			newest[p] = row
		}
	}
	list := slices.SortedFunc(maps.Keys(newest), func(p, q string) int { return newest[p].Compare(newest[q]) })
	list = list[:min(len(list), mostProjects)]
	for i := range list {
		list[i] = render.Folder(list[i], a.state.Home)
	}
	return list
}
