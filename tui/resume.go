package tui

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// resume goes on with the session. When something stands in the way, a plan says what and what can be done.
func (m *model) resume() tea.Cmd { return m.ask(resume.Ask{}) }

// fork starts a new session with all of this one.
func (m *model) fork() tea.Cmd { return m.ask(resume.Ask{Fork: true}) }

func (m *model) ask(ask resume.Ask) tea.Cmd {
	row := m.subject()
	if row == nil {
		return nil
	}
	return m.goOn(*row, ask)
}

// goOn asks the guard with one more answer.
func (m *model) goOn(row sessions.Row, ask resume.Ask) tea.Cmd {
	ctx := m.begin()
	asking := askResume(ctx, m.Actions, row, ask, m.resumeGen)
	if ask.In == resume.WherePopup { // its answer comes when the popup closes
		return asking
	}
	return tea.Batch(asking, waitResume(ctx, m.resumeGen))
}

// begin starts a look at what an action needs. Its context ends when the person goes on to something else, or with
// what came of it.
func (m *model) begin() context.Context {
	m.drop()
	ctx, cancel := context.WithCancel(m.ctx)
	m.looking = cancel
	return ctx
}

// drop ends a look, and makes its answer a late one.
func (m *model) drop() {
	m.resumeGen++
	if m.looking != nil {
		m.looking()
		m.looking = nil
	}
}

// goneOn is called for whatever the person does: a message has been read by then, and what a look would start is not
// meant any more.
func (m *model) goneOn() {
	m.onOffer = m.status.offer
	m.status = m.status.unlessSaid()
	m.drop()
}

// stillLooking says so when a folder or a client takes its time to answer.
func (m *model) stillLooking(msg resumeSlowMsg) {
	if m.looking != nil && !m.away && msg.gen == m.resumeGen {
		m.status.say("Checking session and folder…")
	}
}

// resumeIn lets one choose where the client starts.
func (m *model) resumeIn() tea.Cmd {
	row := m.subject()
	if row == nil {
		return nil
	}
	return m.openMenu(m.whereMenu(*row, false))
}

func (m *model) whereMenu(row sessions.Row, fork bool) *dialog.MenuOptions {
	mn := &dialog.MenuOptions{Title: "Resume in", About: m.resumeAbout(&row, row.ID), ID: row.ID, Verb: "resume"}
	other := dialog.Offer{Key: "f", Name: "Fork", Note: "a new session instead", Off: m.whyNotFork(), Verb: "switch"}
	if fork {
		mn.Title, mn.Verb = "Fork in", "fork"
		other = dialog.Offer{Key: "r", Name: "Resume", Note: "this session instead", Verb: "switch"}
	}
	other.Do = func(m *model) tea.Cmd { return m.openMenu(m.whereMenu(row, !fork)) }
	add := func(key, name, note, off string, in resume.Where) {
		mn.Items = append(mn.Items, dialog.Offer{Key: key, Name: name, Note: note, Off: off, Do: func(m *model) tea.Cmd {
			return m.goOn(row, resume.Ask{In: in, Fork: fork})
		}})
	}
	var tmux, popup string
	switch {
	case !m.opts.Tmux:
		tmux, popup = "not inside tmux", "not inside tmux"
	case m.opts.Popup:
		popup = "a popup cannot open another"
	}
	add("w", "Window", "a new window of tmux", tmux, resume.WhereWindow)
	add("s", "Split", "beside this, in the same window", tmux, resume.WhereSplit)
	add("p", "Popup", "over this, until it ends", popup, resume.WherePopup)
	add("h", "Here", "in this terminal, until it ends", "", resume.WhereHere)
	folder := dialog.Offer{Key: "d", Name: "Another folder", Note: "claude starts in a folder that you name", Verb: "name it"}
	folder.Do = func(m *model) tea.Cmd { return m.nameFolder(row, resume.Ask{Fork: fork}) }
	mn.Items = append(mn.Items, folder)
	if row.Kind == sessions.KindSession {
		mn.Items = append(mn.Items, other)
	}
	return mn
}

// resumeAbout is what a plan is about: a session by its id, a backup by its time, a document by its name.
func (m *model) resumeAbout(row *sessions.Row, id string) string {
	switch row.Kind {
	case sessions.KindBackup:
		return cmp.Or(words.Moment(m.now, row.When()), transcript.CleanLine(row.ID))
	case sessions.KindDocument:
		return transcript.CleanLine(row.ID)
	case sessions.KindSession:
	}
	return shortID(id)
}

// planMenu is the plan of the guard as a menu.
func (m *model) planMenu(row sessions.Row, plan *resume.Plan) *dialog.MenuOptions {
	mn := &dialog.MenuOptions{Title: plan.Title, About: m.resumeAbout(&row, plan.ID), ID: plan.ID, Note: "Nothing has run yet.", Plan: true}
	for _, f := range plan.Findings {
		pt := dialog.Point{Glyph: render.FindingGlyph(f.Kind), What: f.What, Detail: f.Detail}
		if len(plan.Choices) == 0 {
			pt.Glyph = render.Span{Ink: render.Bad, Text: "✗"}
		}
		mn.Points = append(mn.Points, pt)
	}
	if len(plan.Choices) > 0 {
		mn.Note += m.startOf(plan)
	}
	for _, c := range plan.Choices {
		it := dialog.Offer{Key: c.Key, Name: c.Name, Note: c.Note, Run: c.Run, Line: c.Line, Off: c.Off, Verb: verbOf(&c), Slow: c.Slow}
		it.Do = func(m *model) tea.Cmd { return m.goOn(row, c.Ask) }
		if c.Path {
			it.Do = func(m *model) tea.Cmd { return m.nameFolder(row, c.Ask) }
		}
		mn.Items = append(mn.Items, it)
	}
	return mn
}

// startOf says where it would start, as far as that was asked for and nothing is wrong with it.
func (m *model) startOf(plan *resume.Plan) string {
	has := func(kinds ...resume.FindingKind) bool {
		return slices.ContainsFunc(plan.Findings, func(f resume.Finding) bool { return slices.Contains(kinds, f.Kind) })
	}
	var at []string
	if plan.Folder != "" && !has(resume.FindingFolder) {
		at = append(at, "in "+render.Folder(plan.Folder, m.opts.Home))
	}
	if in := plan.In; in != "" && in != resume.WhereHere && in != resume.WhereAuto &&
		!has(resume.FindingNoTmux, resume.FindingPopupInside) {
		at = append(at, "in a "+string(in))
	}
	if len(at) == 0 {
		return ""
	}
	return " It would start " + strings.Join(at, ", ") + "."
}

// verbOf is what enter does with a choice, in a word or two.
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

// whyNotResume is the reason, in a few words, why the client could not resume the row.
func (m *model) whyNotResume() string {
	row := m.subject()
	switch {
	case row == nil:
		return ""
	case row.Deleted:
		return "deleted"
	case row.Kind == sessions.KindDocument && (row.ID == "active-context" || row.ID == "project-memory"):
		return "claude loads it by itself"
	case row.State == sessions.StateUnreadable:
		return "unreadable"
	case row.Kind != sessions.KindSession:
		return ""
	case row.Has(sessions.FlagBackupOnly):
		return "only a copy is left"
	case row.Has(sessions.FlagNotResumable):
		return "the file name is not a session ID"
	}
	return ""
}

// whyNotFork is the same for a fork: what has no message has nothing to start from.
func (m *model) whyNotFork() string {
	if why := m.whyNotResume(); why != "" {
		return why
	}
	if row := m.subject(); row != nil && (row.State == sessions.StateEmpty || row.State == sessions.StateStub) {
		return "nothing in it"
	}
	return ""
}

// resumeAnswered takes the answer of the guard in: a plan to choose from, a program for this terminal, or word of
// what was started elsewhere.
func (m *model) resumeAnswered(msg preparedMsg) tea.Cmd {
	o := msg.outcome
	if msg.gen != m.resumeGen { // the person has gone on to something else
		if o.Said != "" && o.Run == nil { // but it has started
			m.status.say(o.Said)
			return m.lookAround()
		}
		return m.askPast()
	}
	if msg.err != nil {
		m.drop()
		m.fail("", msg.err)
		return m.askPast() // it may have restored something before it failed
	}
	m.status = status{} // an error of before does not hold any more
	if o.Plan == nil && o.Run != nil {
		m.away, m.dragging = true, false
		return takeOver(o.Run, o.Said)
	}
	m.drop()
	switch {
	case o.Plan != nil:
		return m.openMenu(m.planMenu(msg.row, o.Plan))
	case o.Leave:
		return tea.Quit
	case o.Note != "":
		m.status.say(o.Note)
		return nil
	}
	m.status.say(o.Said)
	return m.lookAround()
}

// lookAround looks at all that a client, or what was done for it, may have changed.
func (m *model) lookAround() tea.Cmd {
	return tea.Batch(m.load(), m.followNow(), m.askPast(), m.tell(screen.Back{}))
}

// resumed comes back to the same place; the list is read again, for the session has changed.
func (m *model) resumed(msg resumedMsg) tea.Cmd {
	m.away = false
	m.drop()
	switch {
	case msg.err != nil:
		m.fail("", msg.err)
	case msg.said != "":
		m.status.say(msg.said)
	}
	return m.lookAround()
}
