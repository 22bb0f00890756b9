package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// savedMsg has the saved searches after a change.
type savedMsg struct {
	text  string
	list  []string
	saved bool
	err   error
}

// saveSearch saves a search, or forgets it.
func (m *model) saveSearch(text string) tea.Cmd {
	save, ctx := m.opts.SaveSearch, m.ctx
	if save == nil {
		return nil
	}
	return func() tea.Msg {
		list, saved, err := save(ctx, text)
		return savedMsg{text, list, saved, err}
	}
}

// tookSaved stores the saved searches and says what has changed.
func (m *model) tookSaved(msg savedMsg) {
	if msg.err != nil {
		m.status.fail("The search could not be saved.", msg.err, m.opts.Home)
		return
	}
	m.opts.Saved = msg.list
	text := "“" + words.Cut(msg.text, 40) + "”"
	if msg.saved {
		m.status.say("Saved " + text + ". The palette (:) lists it.")
	} else {
		m.status.say("No longer saved: " + text + ".")
	}
}

// savedSearches returns the saved searches as commands of the palette.
func (m *model) savedSearches() []dialog.Command {
	list := make([]dialog.Command, len(m.opts.Saved))
	for i, text := range m.opts.Saved {
		list[i] = dialog.Command{Name: "Search “" + words.Cut(text, 60) + "”", Group: screen.GroupFind, Do: screen.SearchFor{Text: text}}
	}
	return list
}
