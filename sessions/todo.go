package sessions

import (
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/transcript"
)

// ParseTodo parses a line of Remaining Todos (spec 000: "- [ ] HIGH: text"). The box is optional. ok is false for
// anything but a list entry, for "None", and for template placeholders.
func ParseTodo(line string) (Todo, bool) {
	_, text, ok := CutBullet(strings.TrimSpace(line))
	if !ok {
		return Todo{}, false
	}
	e := newEntry(text)
	return e.Todo()
}

// OpenTodos returns the number of todos that aren't done.
func OpenTodos(todos []Todo) int {
	n := 0
	for i := range todos {
		if !todos[i].Done {
			n++
		}
	}
	return n
}

// ListEntry is an entry of a list in a document: its first line and its continuation lines.
type ListEntry struct {
	text string
	box  rune // character in the box; 0 if there is no box
}

func newEntry(text string) ListEntry {
	box, text := cutBox(text)
	return ListEntry{text, box}
}

// GoOn adds a continuation line to the entry, up to the length that rows show.
func (e *ListEntry) GoOn(line string) {
	if utf8.RuneCountInString(e.text) < maxPrompt {
		e.text += " " + strings.TrimSpace(line)
	}
}

// done reports whether the box of the entry is ticked.
func (e *ListEntry) done() bool { return strings.ContainsRune("xX✓✔✅☑", e.box) && e.box != 0 }

// plain returns the text of the entry, or "" for "None" and template placeholders.
func (e *ListEntry) plain() string { return filled(PlainText(e.text)) }

func filled(text string) string {
	if IsNone(text) || isPlaceholder(text) {
		return ""
	}
	return text
}

// Todo returns the entry as a todo. ok is false for other entries.
func (e *ListEntry) Todo() (t Todo, ok bool) {
	t = Todo{Text: PlainText(e.text), Done: e.done()}
	if word, rest, ok := strings.Cut(t.Text, ":"); ok {
		switch word = strings.ToLower(strings.TrimSpace(word)); word {
		case "high", "medium", "low", "blocked":
			t.Priority, t.Text = word, strings.TrimSpace(rest)
		}
	}
	return t, filled(t.Text) != ""
}

// Step returns the entry as a next step. ok is false for "None", template placeholders and ticked entries.
func (e *ListEntry) Step() (string, bool) {
	text := e.plain()
	return text, text != "" && !e.done()
}

// LineIs is the role of a line in the lists of a document.
type LineIs int

// The roles of a line.
const (
	LineElse   LineIs = iota // not in an entry, or in a nested entry without a box
	LineBegins               // begins an entry
	LineGoesOn               // continues the previous entry
)

// ListReader finds the list entries of a section: those of the outer list, and nested ones with a box. It skips code
// and comments. Each section needs a new ListReader.
type ListReader struct {
	marks  mark.Reader
	indent int  // indentation of the first entry
	any    bool // an entry was found
	open   bool // the next line may continue the last entry
	nested bool // the next line belongs to a nested item
}

// Next reads a line and returns its role. LineBegins comes with a new entry.
func (l *ListReader) Next(raw string) (ListEntry, LineIs) {
	m := l.marks.Next(raw)
	line := strings.TrimSpace(raw)
	if level, _ := mark.Heading(line); m.Kind != mark.Text || line == "" || level > 0 {
		l.End()
		return ListEntry{}, LineElse
	}
	_, text, ok := CutBullet(line)
	if !ok {
		return ListEntry{}, l.goesOn(line)
	}
	e := newEntry(text)
	if !l.any {
		l.any, l.indent = true, m.Indent
	}
	if l.open, l.nested = true, m.Indent >= l.indent+2 && e.box == 0; l.nested {
		return ListEntry{}, LineElse
	}
	return e, LineBegins
}

// goesOn classifies a line within an entry. A quotation, a table, a rule, or a comment with text after it ends the
// entry.
func (l *ListReader) goesOn(line string) LineIs {
	if strings.Trim(line, "-*_ ") == "" || line[0] == '>' || line[0] == '|' || strings.HasPrefix(line, "<!--") {
		l.open = false
	}
	if !l.open || l.nested {
		return LineElse
	}
	return LineGoesOn
}

// End ends the current entry.
func (l *ListReader) End() { l.open = false }

// CutBullet splits a line into its bullet, such as "- " or "1. ", and the text.
func CutBullet(line string) (lead, text string, ok bool) {
	n := mark.Bullet(line)
	if n == 0 || n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return "", line, false
	}
	return line[:n], strings.TrimSpace(line[n:]), true
}

// cutBox splits a box ("[ ] ", "[x] ") or a tick from the start of a text. Without one, box is 0.
func cutBox(text string) (box rune, rest string) {
	if inner, ok := strings.CutPrefix(text, "["); ok {
		r, n := utf8.DecodeRuneInString(inner)
		if after, ok := strings.CutPrefix(inner[n:], "]"); ok && (after == "" || after[0] == ' ' || after[0] == '\t') {
			return r, strings.TrimSpace(after)
		}
		return 0, text
	}
	for _, tick := range [...]string{"✓", "✔", "✅", "☑"} {
		if after, ok := strings.CutPrefix(text, tick); ok {
			return 'x', strings.TrimSpace(strings.TrimPrefix(after, "\ufe0f"))
		}
	}
	if after, ok := strings.CutPrefix(text, "☐"); ok {
		return ' ', strings.TrimSpace(after)
	}
	return 0, text
}

// IsNone reports whether a text means "nothing": "null", "None", "None this session (research)", "n/a".
func IsNone(text string) bool {
	word := strings.ToLower(strings.Trim(text, " ._*()"))
	switch word {
	case "none", "null", "nil", "~", "n/a", "nothing":
		return true
	}
	rest, ok := strings.CutPrefix(word, "none")
	if !ok {
		return false
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " ")); strings.ContainsRune(".,;:(-–—", first) {
		return true
	}
	switch next, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " "); next {
	case "this", "remaining", "at", "for", "left", "yet", "pending", "outstanding":
		return strings.HasPrefix(rest, " ")
	}
	return false
}

// isPlaceholder reports whether a text is a placeholder of a template, such as "[Priority-ordered action items]".
func isPlaceholder(text string) bool {
	inner, ok := strings.CutPrefix(text, "[")
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, "]")
	return ok && !strings.ContainsAny(inner, "[]")
}

// PlainText returns a document text as a clean line of at most 500 runes, without markup for code, strong emphasis
// and escapes. Markup within code stays.
func PlainText(line string) string {
	line = shortLine(line)
	var b strings.Builder
	for line != "" {
		i := strings.IndexAny(line, "`*&\\")
		if i < 0 || i == len(line)-1 {
			break
		}
		b.WriteString(line[:i])
		mark, rest := line[i], line[i+1:]
		code, after, closed := strings.Cut(rest, "`")
		switch {
		case mark == '`' && closed:
			b.WriteString(code)
			rest = after
		case mark == '*' && rest[0] == '*':
			rest = rest[1:]
		case mark == '\\' && strings.IndexByte("\\`*_{}[]()<>#+-.!|~&:\"'$%,/;=?@^", rest[0]) >= 0:
			b.WriteByte(rest[0])
			rest = rest[1:]
		case mark == '&':
			char, after := cutEntity(rest)
			b.WriteByte(char)
			rest = after
		default:
			b.WriteByte(mark)
		}
		line = rest
	}
	return shortLine(b.String() + line)
}

func shortLine(s string) string { return strings.TrimSpace(cut(transcript.CleanLine(s), maxPrompt)) }

// cutEntity splits an HTML entity from text, which follows an ampersand. Without one, char is '&'.
func cutEntity(text string) (char byte, rest string) {
	for _, e := range [...]struct {
		name string
		char byte
	}{{"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}} {
		if rest, ok := strings.CutPrefix(text, e.name); ok {
			return e.char, rest
		}
	}
	return '&', text
}
