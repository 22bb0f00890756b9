// Package field is a text input of one or several lines.
package field

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
)

// Maximum length in bytes of a field for words, and of a field for a path (PATH_MAX of Linux). Longer pastes are cut.
const (
	Words = 200
	Path  = 4096
)

// Field is a text input of one line.
type Field struct {
	in    textinput.Model
	limit int // maximum bytes
}

// New returns an empty field for at most limit bytes.
func New(limit int) Field {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.KeyMap.Paste.SetEnabled(false) // the terminal sends pastes as messages
	in.Focus()
	return Field{in: in, limit: limit}
}

// Text returns the text.
func (f *Field) Text() string { return f.in.Value() }

// Before returns the text before the cursor.
func (f *Field) Before() string { return string([]rune(f.in.Value())[:f.in.Position()]) }

// Set replaces the text of the field and moves the cursor to the end. It removes control characters.
func (f *Field) Set(text string) {
	f.in.SetValue(Clean(text, f.limit))
	f.in.CursorEnd()
}

// Seen returns the visible text of a field of width cells, and the cells before the cursor. A long text is cut around
// the cursor.
func (f *Field) Seen(width int) (text string, before int) {
	text, head := f.Text(), f.Before()
	all, before := ansi.StringWidth(text), ansi.StringWidth(head)
	if all <= width {
		return text, before
	}
	if after := all - before; after <= width-1 { // the end of the text is visible
		return cutStart(text, width), width - after
	}
	// Cut the text after the cursor.
	text = cutStart(head, max(width-1, 1))
	before = ansi.StringWidth(text)
	return text + ansi.Truncate(f.Text()[len(head):], width-before, ""), before
}

// cutStart removes text from the start until at most width cells are left.
func cutStart(text string, width int) string {
	if w := ansi.StringWidth(text); w > width {
		return ansi.TruncateLeft(text, w-width+1, "…")
	}
	return text
}

// Type handles a key or a paste, and reports whether the text has changed.
func (f *Field) Type(msg tea.Msg) (changed bool) {
	was := f.in.Value()
	room := f.limit - len(was)
	switch m := msg.(type) {
	case tea.PasteMsg:
		msg = tea.PasteMsg{Content: Clean(m.Content, room)}
	case tea.KeyPressMsg:
		if m.Text != "" {
			if m.Text = Clean(m.Text, room); m.Text == "" {
				return false
			}
			msg = m
		}
	default:
		return false
	}
	f.in, _ = f.in.Update(msg)
	return f.in.Value() != was
}

// Clean removes control characters and line breaks, and cuts the text to limit bytes.
func Clean(text string, limit int) string {
	if limit <= 0 {
		return ""
	}
	if len(text) > 4*limit { // a paste may be large
		text = strings.ToValidUTF8(text[:4*limit], "")
	}
	text = transcript.CleanLine("x" + text + "x") // CleanLine would trim blanks without the x
	if text = text[1 : len(text)-1]; len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "")
	}
	return text
}
