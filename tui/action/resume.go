package action

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Resume resumes or forks a session. If a check finds a problem, Resume shows a menu with choices.
type Resume struct {
	state  *State
	lookup lookup
}

// NewResume returns the action. It reads the program's state from s.
func NewResume(s *State) *Resume { return &Resume{state: s} }

// Keys implements Action.
func (a *Resume) Keys(intent string) []screen.Binding {
	b := screen.Binding{Name: intent, Label: intent, Help: intent, Group: screen.GroupThis, Do: screen.Intent{Name: intent}, Needs: screen.NeedsActions}
	switch intent {
	case screen.Resume:
		b.Keys, b.Show, b.Gone, b.Needed, b.Off = []string{"r"}, "r", a.state.Row == nil, "nothing is chosen", a.whyNot()
	case screen.Fork:
		b.Keys, b.Show, b.Gone, b.Needed, b.Off = []string{"f"}, "f", !a.state.isSession(), a.state.needsSession(), a.whyNotFork()
		if a.state.At != nil {
			b.As = "fork here"
		}
	case screen.ResumeIn:
		b.Keys, b.Show, b.Gone, b.Needed, b.Off = []string{"w"}, "w", a.state.Row == nil, "nothing is chosen", a.whyNot()
		b.Label, b.Help, b.Rank = "resume elsewhere", "resume in…", screen.RankSecond
	case screen.StartNew:
		b.Keys, b.Show, b.Label, b.Help, b.Gone, b.Needed = []string{"n"}, "n", "new session", "start a new session", !a.state.Drives, "continuo can't drive sessions here"
	default:
		return nil
	}
	return []screen.Binding{b}
}

// Do implements Action.
func (a *Resume) Do(do screen.Intent) ([]screen.Effect, bool) {
	row := a.state.Row
	switch do.Name {
	case screen.Resume, screen.Fork:
		if row == nil {
			return nil, true
		}
		if at := a.state.At; at != nil && do.Name == screen.Fork {
			return menu(a.forkMenu(*row, at)), true
		}
		return a.ask(*row, resume.Ask{Fork: do.Name == screen.Fork}), true
	case screen.ResumeIn: // lets the user choose where Claude Code starts
		if row == nil {
			return nil, true
		}
		return a.Where(*row, false), true
	case screen.StartNew: // in the folder of the selected session, or another one
		if row == nil {
			row = &sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Workdir: a.state.Folder}}
		}
		return a.nameFolder(*row, resume.Ask{New: true, In: resume.WhereContinuo}), true
	}
	return nil, false
}

// Replies of the menus.
type (
	// asked repeats the check with the user's answer.
	asked struct {
		row sessions.Row
		ask resume.Ask
	}
	// where opens the menu of the places for Claude Code, such as a tmux window.
	where struct {
		row  sessions.Row
		fork bool
	}
	// naming asks for the folder for Claude Code.
	naming asked
)

// preparedMsg is the result of the check before a resume. Edit sends it too.
type preparedMsg struct {
	gen     int
	row     sessions.Row
	outcome Outcome
	err     error
}

// Took implements Action.
func (a *Resume) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case screen.GoneOn:
		a.lookup.drop()
	case asked:
		return a.ask(msg.row, msg.ask)
	case where:
		return a.Where(msg.row, msg.fork)
	case naming:
		return a.nameFolder(msg.row, msg.ask)
	case slowMsg:
		return a.lookup.stillLooking(a.state, msg)
	case preparedMsg:
		if msg.gen == a.lookup.gen && msg.err == nil && msg.outcome.Plan != nil {
			a.lookup.drop()
			return a.Plan(msg.row, msg.outcome.Plan)
		}
		return a.lookup.prepared(msg)
	}
	return nil
}

// Where shows the menu of the places for Claude Code, such as a tmux window.
func (a *Resume) Where(row sessions.Row, fork bool) []screen.Effect {
	return menu(a.whereMenu(row, fork))
}

// GoTo goes to the tmux pane of a session.
func (a *Resume) GoTo(e screen.GoTo) []screen.Effect {
	return a.ask(e.Row, resume.Ask{Pane: e.Pane})
}

// Plan shows the plan of a resume in a menu.
func (a *Resume) Plan(row sessions.Row, plan *resume.Plan) []screen.Effect {
	return menu(a.planMenu(row, plan))
}

const checking = "Checking session and folder…"

// ask checks a session, and starts Claude Code if there is no problem.
func (a *Resume) ask(row sessions.Row, ask resume.Ask) []screen.Effect {
	ctx := a.lookup.begin(a.state.Context)
	actions, gen := a.state.Actions, a.lookup.gen
	asking := screen.Cmd(func() tea.Msg {
		outcome, err := actions.Resume(ctx, row, ask)
		return preparedMsg{gen: gen, row: row, outcome: outcome, err: err}
	})
	if ask.In == resume.WherePopup { // the answer arrives only when the popup closes
		return []screen.Effect{asking}
	}
	return []screen.Effect{asking, a.lookup.slow(ctx, checking)}
}

// stillLooking shows a message if a lookup takes long.
func (l *lookup) stillLooking(s *State, msg slowMsg) []screen.Effect {
	if l.isOf(msg.gen) && !s.Away {
		return tell(msg.word)
	}
	return nil
}

// prepared handles a result without a plan: a program to run here, or a message about a program elsewhere.
func (l *lookup) prepared(msg preparedMsg) []screen.Effect {
	o := msg.outcome
	switch {
	// The lookup was cancelled, but the program was already started.
	case msg.gen != l.gen && o.Said != "" && o.Run == nil:
		return []screen.Effect{screen.Tell{Text: o.Said}, screen.LookAround{}}
	case msg.gen != l.gen:
		return []screen.Effect{screen.AskPast{}}
	case msg.err != nil:
		l.drop()
		return []screen.Effect{fail(msg.err), screen.AskPast{}} // a backup may have been restored before the error
	case o.Drives != "":
		l.drop()
		return []screen.Effect{screen.Tell{}, screen.Drive{ID: o.Drives}}
	case o.Run != nil: // an empty message also removes an earlier error
		return []screen.Effect{screen.Tell{}, screen.Run{Program: o.Run, Said: o.Said}}
	}
	l.drop()
	switch {
	case o.Leave:
		return []screen.Effect{screen.Tell{}, screen.Do{Intent: screen.Intent{Name: screen.Quit}}}
	case o.Note != "":
		return tell(o.Note)
	}
	return []screen.Effect{screen.Tell{Text: o.Said}, screen.LookAround{}}
}

// whyNot returns a short reason why the row can't be resumed, or "".
func (a *Resume) whyNot() string { return whyNotResumed(a.state.Row) }

func whyNotResumed(row *sessions.Row) string {
	switch {
	case row == nil:
		return ""
	case row.Deleted:
		return "deleted"
	case row.Kind == sessions.KindDocument && (row.ID == "active-context" || row.ID == "project-memory"):
		return "Claude Code loads it automatically"
	case row.State == sessions.StateUnreadable:
		return "unreadable"
	case row.Kind != sessions.KindSession:
		return ""
	case row.Has(sessions.FlagNotResumable):
		return "the file name is not a session ID"
	}
	return ""
}

// whyNotFork returns a short reason why the row can't be forked, or "". A fork needs a message.
func (a *Resume) whyNotFork() string {
	if why := a.whyNot(); why != "" {
		return why
	}
	if row := a.state.Row; row != nil && (row.State == sessions.StateEmpty || row.State == sessions.StateStub) {
		return "the session is empty"
	}
	return ""
}
