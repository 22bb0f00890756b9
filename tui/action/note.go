package action

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Note adds an entry to the ledger of a project.
type Note struct{ state *State }

// NewNote returns the action. It reads the program's state from s.
func NewNote(s *State) *Note { return &Note{s} }

// Keys implements Action. It returns nil, because each screen with notes binds its own key.
func (*Note) Keys(string) []screen.Binding { return nil }

// noted is the kind of note that the user has chosen in the menu.
type noted struct {
	dir  string
	kind notes.EntryKind
}

// Do implements Action. It shows a menu of the kinds of notes.
func (a *Note) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Note {
		return nil, false
	}
	if a.state.Changes == nil {
		return nil, true
	}
	dir := a.state.Dir
	mn := &dialog.MenuOptions{Title: "Note", About: render.Base(dir), Verb: "write", Note: "Nothing is written before you have seen the plan."}
	for _, k := range dialog.NoteKinds() {
		key, name, what := dialog.NoteWords(k)
		mn.Items = append(mn.Items, dialog.Offer{Key: key, Name: name, Note: what, Do: screen.Reply{Msg: noted{dir, k}}})
	}
	return menu(mn), true
}

// Took implements Action. It shows the form for the chosen kind.
func (a *Note) Took(msg tea.Msg) []screen.Effect {
	chosen, ok := msg.(noted)
	if !ok {
		return nil
	}
	var bead func(context.Context, string) *beads.Bead
	if a.state.Ledgers != nil {
		bead = askBead(a.state.Ledgers)
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewNote(dialog.NoteOptions{Context: a.state.Context, Bead: bead, Dir: chosen.dir, Kind: chosen.kind})}}
}

// askBead returns a function that reads a project's bead in progress, or nil.
func askBead(ledgers Ledgers) func(ctx context.Context, dir string) *beads.Bead {
	return func(ctx context.Context, dir string) *beads.Bead {
		l, err := ledgers.Ledger(ctx, dir)
		if err != nil || l.Beads == nil {
			return nil
		}
		if list := l.Beads.AtWork(); len(list) > 0 {
			return list[0]
		}
		return nil
	}
}
