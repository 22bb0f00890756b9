package tui

import (
	"iter"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// quitNow is the intent that quits the browser without a question.
const quitNow = "quit-now"

// drivenMsg lists the sessions that continuo drives.
type drivenMsg []keeper.Session

// quit quits the browser. If driven sessions would end, quit asks first, but only once.
func (m *model) quit() tea.Cmd {
	if !m.drove || m.opts.Keeper || m.hasDialog() && m.front().id == m.asksQuit {
		return tea.Quit
	}
	source := m.Live
	return func() tea.Msg { return drivenMsg(source.Sessions()) }
}

// askQuit asks whether the driven sessions may end.
func (m *model) askQuit(driven drivenMsg) tea.Cmd {
	o := dialog.MenuOptions{Title: "Close continuo", Note: "Their transcripts stay, and you can resume them.", Verb: "close"}
	for i := range driven {
		if s := &driven[i]; s.Status != keeper.StatusEnded {
			o.Points = append(o.Points, endingPoint(s, m.lists.Rows(sessions.KindSession)))
		}
	}
	if len(o.Points) == 0 {
		return tea.Quit
	}
	o.Items = []dialog.Offer{{Key: "e", Name: "End them", Note: "and close continuo", Do: screen.Do{Intent: screen.Intent{Name: quitNow}}}}
	if len(o.Points) == 1 {
		o.Note, o.Items[0].Name = "Its transcript stays, and you can resume it.", "End it"
	}
	cmd := tea.Batch(m.dropDialogs(), m.push(dialog.NewMenu(o)))
	m.asksQuit = m.front().id
	return cmd
}

// endingPoint says what happens to a driven session when it ends. rows are the sessions in the lists.
func endingPoint(s *keeper.Session, rows iter.Seq[*sessions.Row]) dialog.Point {
	p := dialog.Point{Glyph: render.Span{Ink: render.Good, Text: "●"}, What: "A new session", Detail: "Idle. It ends."}
	for r := range rows {
		if r.ID == s.ID {
			p.What = render.Title(r.Described())
		}
	}
	switch s.Status {
	case keeper.StatusBusy:
		p.Detail = "Busy. Its turn is interrupted."
	case keeper.StatusWaiting:
		p.Glyph, p.Detail = render.Span{Ink: render.AccentBold, Text: "?"}, "Waits for you. Its question is denied."
	case keeper.StatusIdle, keeper.StatusEnded:
	}
	return p
}
