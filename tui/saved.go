package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// savedSearches has the saved searches. save is Options.SaveSearch.
type savedSearches struct {
	list []string
	save func(ctx context.Context, text string) (list []string, saved bool, err error)
}

// savedMsg has the saved searches after one was added or removed.
type savedMsg struct {
	text  string
	list  []string
	saved bool
	err   error
}

// toggle saves a search, or removes it if it is already saved.
func (s *savedSearches) toggle(ctx context.Context, text string) tea.Cmd {
	save := s.save
	if save == nil {
		return nil
	}
	return func() tea.Msg {
		list, saved, err := save(ctx, text)
		return savedMsg{text, list, saved, err}
	}
}

// store keeps the new list of saved searches, and returns the message for the user.
func (s *savedSearches) store(msg savedMsg) screen.Effect {
	if msg.err != nil {
		return screen.Fail{What: "The search could not be saved.", Err: msg.err}
	}
	s.list = msg.list
	text := "“" + words.Cut(msg.text, 40) + "”"
	if msg.saved {
		return screen.Tell{Text: "Saved " + text + ". The palette (:) lists it."}
	}
	return screen.Tell{Text: "Removed the saved search " + text + "."}
}

// commands returns a palette command for each saved search.
func (s *savedSearches) commands() []dialog.Command {
	list := make([]dialog.Command, len(s.list))
	for i, text := range s.list {
		list[i] = dialog.Command{Name: "Search “" + words.Cut(text, 60) + "”", Group: screen.GroupFind, Do: screen.SearchFor{Text: text}}
	}
	return list
}
