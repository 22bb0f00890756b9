package action

import (
	"cmp"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Export writes a conversation into a new file. It asks for format and file, and then shows the plan.
type Export struct{ state *State }

// NewExport returns the action. It reads the program's state from s.
func NewExport(s *State) *Export { return &Export{s} }

// Keys implements Action.
func (a *Export) Keys(intent string) []screen.Binding {
	if intent != screen.Export {
		return nil
	}
	return []screen.Binding{{
		Name: intent, Keys: []string{"E"}, Show: "E", Help: "export to a file…", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.has(), Needed: "choose a session or backup", Off: screen.WhyNotRead(a.state.Row), Needs: screen.NeedsChanges,
	}}
}

func (a *Export) has() bool { return a.state.Row != nil && a.state.Row.Kind != sessions.KindDocument }

// Do implements Action.
func (a *Export) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Export {
		return nil, false
	}
	if !a.has() {
		return nil, true
	}
	return askFormat(exporting{row: *a.state.Row}), true
}

// exporting has the answers for an export so far.
type exporting struct {
	row    sessions.Row
	format string // "" until the user has chosen it
	redact bool
}

// Took implements Action.
func (a *Export) Took(msg tea.Msg) []screen.Effect {
	e, ok := msg.(exporting)
	switch {
	case !ok:
		return nil
	case e.format == "":
		return askFormat(e)
	}
	return askFile(e)
}

// askFormat asks for the format and whether to mask secrets.
func askFormat(e exporting) []screen.Effect {
	mn := &dialog.MenuOptions{Title: "Export", About: render.Title(&e.row), Verb: "choose", Note: "Nothing is written before you have seen the plan."}
	for _, f := range []struct{ key, name, note, format string }{
		{"m", "Markdown", "for notes and issues", "md"},
		{"h", "HTML", "one page for a browser", "html"},
		{"o", "JSON", "messages and their parts, for programs", "json"},
		{"l", "JSONL", "the unchanged records of Claude Code", "jsonl"},
	} {
		as := e
		as.format = f.format
		mn.Items = append(mn.Items, dialog.Offer{Key: f.key, Name: f.name, Note: f.note, Do: screen.Reply{Msg: as}})
	}
	mask := dialog.Offer{Key: "x", Name: "Mask: no", Note: "secrets, e-mail addresses, home directories", Verb: "mask", Gap: true}
	if e.redact {
		mask.Name, mask.Verb, mn.At = "Mask: yes", "don't mask", len(mn.Items)
	}
	e.redact = !e.redact
	mask.Do = screen.Reply{Msg: e}
	mn.Items = append(mn.Items, mask)
	return menu(mn)
}

func askFile(e exporting) []screen.Effect {
	name := cmp.Or(screen.ShortID(e.row.ID), strings.TrimSuffix(filepath.Base(e.row.Path), ".jsonl"))
	if e.row.ID != "" {
		name = "session-" + name
	}
	const longest = 4096 // maximum bytes of a path
	return []screen.Effect{screen.Open{Dialog: dialog.NewLine(dialog.LineOptions{
		Title: "Export as " + e.format, About: render.Title(&e.row), Text: name + "." + e.format, Most: longest, Verb: "show the plan",
		Hint: "a new file, below the folder in which you started continuo",
		Take: func(text string) screen.Effect {
			return screen.Ask{Change: screen.Change{
				Kind: screen.ChangeExport, Rows: []sessions.Row{e.row},
				Export: &screen.ExportAs{Format: e.format, Redact: e.redact, File: strings.TrimSpace(text)},
			}}
		},
	})}}
}
