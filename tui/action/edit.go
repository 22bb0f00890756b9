package action

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Edit opens a file in the editor, or an image in the image viewer of the desktop.
type Edit struct {
	state  *State
	lookup lookup
}

// NewEdit returns the action. It reads the program's state from s.
func NewEdit(s *State) *Edit { return &Edit{state: s} }

// Keys implements Action.
func (a *Edit) Keys(intent string) []screen.Binding {
	if intent != screen.EditFile {
		return nil
	}
	b := screen.Binding{
		Name: "edit", Keys: []string{"e"}, Show: "e", Label: "edit", Help: "edit its file", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Needed: "choose a document", Needs: screen.NeedsActions,
	}
	switch e := a.subject(); {
	case e == nil:
		b.Gone = true
	case e.Find == nil && e.File == "":
		b.Off = e.None
	case e.Line > 0:
		b.More = " line " + strconv.Itoa(e.Line)
	}
	return []screen.Binding{b}
}

// Do implements Action.
func (a *Edit) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.EditFile {
		return nil, false
	}
	if e := a.subject(); e != nil && (e.Find != nil || e.File != "") {
		return a.Open(*e), true
	}
	return nil, true
}

// subject returns the file to edit, or nil.
func (a *Edit) subject() *screen.Edit {
	row := a.state.Row
	if a.state.Edit == nil && row != nil && row.Kind == sessions.KindDocument {
		return &screen.Edit{Row: *row, File: row.Path}
	}
	return a.state.Edit
}

// Open opens a file in the editor.
func (a *Edit) Open(e screen.Edit) []screen.Effect {
	ctx := a.lookup.begin(a.state.Context)
	return []screen.Effect{screen.Cmd(prepareEditor(ctx, a.state.Actions, e, a.lookup.gen))}
}

// View opens an image in the image viewer.
func (a *Edit) View(v screen.ViewImage) []screen.Effect {
	ctx, actions := a.lookup.begin(a.state.Context), a.state.Actions
	gen := a.lookup.gen
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		msg := preparedMsg{gen: gen}
		image, err := v.Read(ctx)
		if msg.err = err; err == nil {
			msg.outcome.Said, msg.err = actions.View(ctx, image)
		}
		return msg
	})}
}

func prepareEditor(ctx context.Context, actions Actions, e screen.Edit, gen int) tea.Cmd {
	return func() tea.Msg {
		msg := preparedMsg{gen: gen, row: e.Row}
		if e.Find != nil {
			if e.File, e.Line, msg.err = e.Find(ctx); msg.err != nil {
				return msg
			}
		}
		msg.outcome.Run, msg.err = actions.Edit(ctx, e.Row, e.File, e.Line)
		return msg
	}
}

// Took implements Action.
func (a *Edit) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case screen.GoneOn:
		a.lookup.drop()
	case preparedMsg:
		return a.lookup.prepared(msg)
	}
	return nil
}
