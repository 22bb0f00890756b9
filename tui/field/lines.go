package field

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
)

// Lines is a text of several lines that is typed.
type Lines struct {
	in   textarea.Model
	line int // bytes of one
	most int // lines
}

// NewLines is an empty text of so many lines at most, each of so many bytes.
func NewLines(most, line int) Lines {
	in := textarea.New()
	in.SetVirtualCursor(false)
	in.CharLimit, in.MaxHeight, in.MaxWidth = 0, 0, 0
	in.SetWidth(most * line) // it is wrapped where it is drawn
	in.KeyMap.InsertNewline.SetKeys("ctrl+j")
	for _, k := range []*key.Binding{ // it would read the clipboard; what is selected is not shown
		&in.KeyMap.Paste, &in.KeyMap.SelectCharacterForward, &in.KeyMap.SelectCharacterBackward, &in.KeyMap.SelectWordForward,
		&in.KeyMap.SelectWordBackward, &in.KeyMap.SelectLineUp, &in.KeyMap.SelectLineDown, &in.KeyMap.SelectAll, &in.KeyMap.CopySelection,
	} {
		k.SetEnabled(false)
	}
	in.Focus()
	return Lines{in: in, line: line, most: most}
}

// Text is what stands in it.
func (f *Lines) Text() string { return f.in.Value() }

// Cursor is its line, and what stands before it there.
func (f *Lines) Cursor() (line int, before string) {
	row := []rune(f.at(f.in.Line()))
	return f.in.Line(), string(row[:min(f.in.Column(), len(row))])
}

// at is one of its lines.
func (f *Lines) at(i int) string { return strings.Split(f.in.Value(), "\n")[i] }

// Type takes a key or what is pasted in. It reports whether the text is another one now.
func (f *Lines) Type(msg tea.Msg) (changed bool) {
	was := f.in.Value()
	switch msg := msg.(type) {
	case tea.PasteMsg:
		text := strings.TrimRight(msg.Content[:min(len(msg.Content), f.most*f.line)], "\r\n")
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				f.another()
			}
			f.put(strings.TrimSuffix(line, "\r"))
		}
	case tea.KeyPressMsg:
		switch {
		case msg.String() == "ctrl+j":
			f.another()
		case msg.Text != "":
			f.put(msg.Text)
		default:
			f.in, _ = f.in.Update(msg)
		}
	}
	return f.in.Value() != was
}

// put types a text into its line.
func (f *Lines) put(text string) {
	if text = Clean(text, f.line-len(f.at(f.in.Line()))); text != "" {
		f.in.InsertString(text)
	}
}

// another begins another line. One that is empty is enough.
func (f *Lines) another() {
	if _, before := f.Cursor(); before != "" && f.in.LineCount() < f.most {
		f.in.InsertString("\n")
	}
}
