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
type Note struct{ desk *Desk }

// NewNote returns the action. It uses a desk.
func NewNote(d *Desk) *Note { return &Note{d} }

// Keys implements Action. It returns nothing, because each screen with notes has its own key for them.
func (*Note) Keys(string) []screen.Binding { return nil }

// noted is the kind of entry that the user has chosen in the menu.
type noted struct {
	dir  string
	kind notes.EntryKind
}

// Do implements Action. It shows a menu of the kinds of entries.
func (a *Note) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Note {
		return nil, false
	}
	if a.desk.Changes == nil {
		return nil, true
	}
	dir := a.desk.Dir
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
	if a.desk.Ledgers != nil {
		bead = askBead(a.desk.Ledgers)
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewNote(dialog.NoteOptions{Context: a.desk.Context, Bead: bead, Dir: chosen.dir, Kind: chosen.kind})}}
}

// askBead returns a function that reads the bead of a project that is in progress. The function returns nil if
// this bead isn't known.
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
