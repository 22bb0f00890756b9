package tui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
)

// maxInput is in bytes: what is typed is a few words, what is pasted may be a file.
const maxInput = 200

// maxPath is what a path may have, in bytes (PATH_MAX of Linux).
const maxPath = 4096

// typedInto returns a text with something typed or pasted behind it, on one clean line, at most so many bytes.
func typedInto(text, more string, most int) string {
	if len(more) > 4*most { // a paste may be a file
		more = strings.ToValidUTF8(more[:4*most], "")
	}
	next := transcript.CleanLine("x" + text + more + "x") // so that blanks at the ends stay
	if next = next[1 : len(next)-1]; len(next) > most {
		next = strings.ToValidUTF8(next[:most], "")
	}
	return next
}

func withoutRune(text string) string {
	_, n := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-n]
}

func withoutWord(text string) string {
	text = strings.TrimRight(text, " ")
	return text[:strings.LastIndex(text, " ")+1]
}

// typed appends text to what is being typed.
func (m *model) typed(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	most := maxInput
	switch m.panel.kind {
	case folderPanel:
		most, text = maxPath, strings.TrimRight(text, "\r\n") // as a shell prints it
	case notePanel:
		m.noteTyped(text)
		return nil
	default:
	}
	return m.input(func(old string) string { return typedInto(old, text, most) })
}

func (m *model) eraseRune() tea.Cmd { return m.input(withoutRune) }
func (m *model) eraseWord() tea.Cmd { return m.input(withoutWord) }
func (m *model) eraseAll() tea.Cmd  { return m.input(func(string) string { return "" }) }

// input changes what is being typed, wherever that is.
func (m *model) input(change func(string) string) tea.Cmd {
	switch m.place() {
	case whileFiltering:
		return m.setPattern(change(m.list.pattern))
	case whileSearching:
		f := &m.reader.find
		f.input = change(f.input)
	case inHelp:
		if m.panel.narrow(change(m.panel.input)); m.panel.input == "q" { // as q goes back everywhere; no key begins with it
			return m.closePanel()
		}
	case inPalette:
		m.panel.narrow(change(m.panel.input))
	case inFolder:
		return m.typeFolder(change(m.panel.input))
	case whileNarrowing:
		return m.narrowLedger(change(*m.ledger.pattern()))
	case inAbout:
		return m.typeAbout(change(m.panel.recover.about))
	case inNote:
		m.typeNote(change)
	case inList, inReader, inMenu, inPlan, inPast, inLedger, inRecover, inScreen, places:
	}
	return nil
}
