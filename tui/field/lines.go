package field

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
)

// Lines is a text input of several lines.
type Lines struct {
	in    textarea.Model
	line  int  // maximum bytes of a line
	limit int  // maximum lines
	exact bool // blanks, tabs and empty lines are kept
}

// tab replaces a tab in an exact text, because the text area would turn a tab into blanks.
const tab = "␉"

// NewLines returns an empty text of at most limit lines with at most line bytes each.
func NewLines(limit, line int) Lines {
	in := textarea.New()
	in.SetVirtualCursor(false)
	in.CharLimit, in.MaxHeight, in.MaxWidth = 0, 0, 0
	in.SetWidth(limit * line) // the text is wrapped when it is drawn
	in.KeyMap.InsertNewline.SetKeys("ctrl+j")
	for _, k := range []*key.Binding{ // these keys would read the clipboard or select text
		&in.KeyMap.Paste, &in.KeyMap.SelectCharacterForward, &in.KeyMap.SelectCharacterBackward, &in.KeyMap.SelectWordForward,
		&in.KeyMap.SelectWordBackward, &in.KeyMap.SelectLineUp, &in.KeyMap.SelectLineDown, &in.KeyMap.SelectAll, &in.KeyMap.CopySelection,
	} {
		k.SetEnabled(false)
	}
	in.Focus()
	return Lines{in: in, line: line, limit: limit}
}

// NewText is like NewLines, for a text such as code: it keeps blanks, tabs and empty lines. The text has at most
// limit*line bytes. A tab is drawn as ␉.
func NewText(limit, line int) Lines {
	f := NewLines(limit, line)
	f.exact = true
	return f
}

// Text returns the text.
func (f *Lines) Text() string {
	if f.exact {
		return strings.ReplaceAll(f.in.Value(), tab, "\t")
	}
	return f.in.Value()
}

// Shown returns the text to draw, with ␉ for each tab.
func (f *Lines) Shown() string { return f.in.Value() }

// Set replaces an exact text. ok is false if the text is too long or has control characters.
func (f *Lines) Set(text string) (ok bool) {
	f.in.Reset()
	f.insert(text)
	return f.Text() == text
}

// insert inserts a text of several lines into an exact text.
func (f *Lines) insert(text string) {
	text = text[:min(len(text), max(f.limit*f.line-len(f.in.Value()), 0))]
	text = transcript.Clean(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", "\n"))
	lines := strings.Split(strings.ReplaceAll(text, "\t", tab), "\n")
	f.in.InsertString(strings.Join(lines[:min(len(lines), f.limit-f.in.LineCount()+1)], "\n"))
}

// Cursor returns the line with the cursor, and the text before the cursor in that line.
func (f *Lines) Cursor() (line int, before string) {
	row := []rune(f.at(f.in.Line()))
	return f.in.Line(), string(row[:min(f.in.Column(), len(row))])
}

func (f *Lines) at(i int) string { return strings.Split(f.in.Value(), "\n")[i] }

// Type handles a key or a paste, and reports whether the text has changed.
func (f *Lines) Type(msg tea.Msg) (changed bool) {
	was := f.in.Value()
	switch msg := msg.(type) {
	case tea.PasteMsg:
		text := strings.TrimRight(msg.Content[:min(len(msg.Content), f.limit*f.line)], "\r\n")
		if f.exact {
			f.insert(text)
			break
		}
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				f.another()
			}
			f.put(strings.TrimSuffix(line, "\r"))
		}
	case tea.KeyPressMsg:
		switch {
		case f.exact && msg.String() == "ctrl+j":
			f.insert("\n")
		case f.exact && msg.Text != "":
			f.insert(msg.Text)
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

// put inserts a text at the cursor.
func (f *Lines) put(text string) {
	if text = Clean(text, f.line-len(f.at(f.in.Line()))); text != "" {
		f.in.InsertString(text)
	}
}

// another inserts a line break, except at the start of a line and after the maximum number of lines.
func (f *Lines) another() {
	if _, before := f.Cursor(); before != "" && f.in.LineCount() < f.limit {
		f.in.InsertString("\n")
	}
}
