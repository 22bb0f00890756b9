package tui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/screen"
)

// maxInput is in bytes: what is typed is a few words, what is pasted may be a file.
const maxInput = 200

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

// typed takes a key that is not bound, or what is pasted, into what is typed in front.
func (m *model) typed(msg tea.Msg) tea.Cmd {
	front := *m.front()
	if t, ok := front.screen.(screen.Typed); ok {
		return m.carry(front.id, t.Typed(msg))
	}
	return nil
}

// typedRest is for what is no screen of its own.
func (m *model) typedRest(msg tea.Msg) tea.Cmd {
	text := ""
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		text = msg.Text
	case tea.PasteMsg:
		text = msg.Content
	}
	if text == "" {
		return nil
	}
	return m.input(func(old string) string { return typedInto(old, text, maxInput) })
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
	case whileNarrowing:
		return m.narrowLedger(change(*m.ledger.pattern()))
	case inList, inReader, inLedger, inScreen, places:
	}
	return nil
}
