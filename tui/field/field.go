// Package field is one line of text that is typed: with a cursor, word by word, and pasted.
package field

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
)

// Words is what a field for a few words may have, and Path what one for a path may (PATH_MAX of Linux), in bytes: what is
// pasted may be a file.
const (
	Words = 200
	Path  = 4096
)

// Field is one line. It is empty until it is set or typed into.
type Field struct {
	in   textinput.Model
	most int // bytes
}

// New is an empty field for so many bytes.
func New(most int) Field {
	in := textinput.New()
	in.SetVirtualCursor(false)
	in.KeyMap.Paste.SetEnabled(false) // it would read the clipboard; a terminal pastes by itself
	in.Focus()
	return Field{in: in, most: most}
}

// Text is what stands in it.
func (f *Field) Text() string { return f.in.Value() }

// Before is what of it stands before the cursor.
func (f *Field) Before() string { return string([]rune(f.in.Value())[:f.in.Position()]) }

// Set puts a text into it, as clean as one that is typed, with the cursor behind it.
func (f *Field) Set(text string) {
	f.in.SetValue(Clean(text, f.most))
	f.in.CursorEnd()
}

// Seen is what is seen of it in so many cells, and how many of them are before the cursor: the end of the text, or what is
// around the cursor.
func (f *Field) Seen(width int) (text string, before int) {
	text, head := f.Text(), f.Before()
	all, before := ansi.StringWidth(text), ansi.StringWidth(head)
	if all <= width {
		return text, before
	}
	if after := all - before; after <= width-1 { // the end is seen, the cursor in it
		return cutStart(text, width), width - after
	}
	// The cursor stands where the text is cut at its end.
	text = cutStart(head, max(width-1, 1))
	before = ansi.StringWidth(text)
	return text + ansi.Truncate(f.Text()[len(head):], width-before, ""), before
}

// cutStart shortens a text at its start.
func cutStart(text string, width int) string {
	if w := ansi.StringWidth(text); w > width {
		return ansi.TruncateLeft(text, w-width+1, "…")
	}
	return text
}

// Type takes a key or what is pasted in. It reports whether the text is another one now.
func (f *Field) Type(msg tea.Msg) (changed bool) {
	was := f.in.Value()
	room := f.most - len(was)
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

// Clean is a text on one clean line, at most so many bytes.
func Clean(text string, most int) string {
	if most <= 0 {
		return ""
	}
	if len(text) > 4*most { // a paste may be a file
		text = strings.ToValidUTF8(text[:4*most], "")
	}
	text = transcript.CleanLine("x" + text + "x") // so that blanks at the ends stay
	if text = text[1 : len(text)-1]; len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}
