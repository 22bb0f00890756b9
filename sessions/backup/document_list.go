package backup

import (
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions"
)

const (
	maxTodos = 200
	maxSteps = 100
)

// list collects the entries of lists, up to a number, without what is nested below them.
type list struct {
	most    int
	entries []entry
	indent  int  // of the first entry
	open    bool // the next line may go on with the last entry
	nested  bool // that line belongs to what is nested below it
}

// entry is a line of a list, with those that go on with it.
type entry struct {
	text string
	box  rune // what is in its box; 0 it has none
}

// add takes a line that is not blank and no heading.
func (l *list) add(raw string) {
	line := strings.TrimLeft(raw, " \t")
	indent := len(strings.ReplaceAll(raw[:len(raw)-len(line)], "\t", "    "))
	line = strings.TrimSpace(line)
	_, text, ok := cutBullet(line)
	if !ok {
		l.goOn(line)
		return
	}
	box, text := cutBox(text)
	if len(l.entries) == 0 {
		l.indent = indent
	}
	if l.open, l.nested = true, indent >= l.indent+2 && box == 0; l.nested {
		return
	}
	if len(l.entries) >= l.most {
		l.open = false
		return
	}
	l.entries = append(l.entries, entry{text, box})
}

// goOn takes a line that is no entry of its own: the rest of one, or a quotation, a table, a rule.
func (l *list) goOn(line string) {
	if strings.Trim(line, "-*_ ") == "" || line[0] == '>' || line[0] == '|' {
		l.open = false
	}
	if !l.open || l.nested {
		return
	}
	if e := &l.entries[len(l.entries)-1]; utf8.RuneCountInString(e.text) < maxLine {
		e.text += " " + line
	}
}

// end says that a line goes on with nothing. A nil list takes it, too.
func (l *list) end() {
	if l != nil {
		l.open = false
	}
}

// cutBullet takes the mark of a list entry off a line: "- ", "* ", "+ ", "1. ", "1) ".
func cutBullet(line string) (mark, text string, ok bool) {
	rest := strings.TrimLeft(line, "0123456789")
	n := len(line) - len(rest)
	marks := "-*+"
	if n > 0 {
		marks = ".)"
	}
	if n > 9 || rest == "" || !strings.Contains(marks, rest[:1]) || len(rest) > 1 && rest[1] != ' ' && rest[1] != '\t' {
		return "", line, false
	}
	return line[:n+1], strings.TrimSpace(rest[1:]), true
}

// cutBox takes a box off a text, "[ ] " or "[x] ", or the tick that stands for one.
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

func (e *entry) done() bool { return strings.ContainsRune("xX✓✔✅☑", e.box) && e.box != 0 }

// todos are the entries as todos (spec 000: "- [ ] HIGH: text").
func (l *list) todos() []sessions.Todo {
	var todos []sessions.Todo
	for i := range l.entries {
		e := &l.entries[i]
		t := sessions.Todo{Text: plainText(oneLine(e.text)), Done: e.done()}
		if word, rest, ok := strings.Cut(t.Text, ":"); ok {
			switch word = strings.ToLower(strings.TrimSpace(word)); word {
			case "high", "medium", "low", "blocked":
				t.Priority, t.Text = word, strings.TrimSpace(rest)
			}
		}
		if t.Text != "" && !isNone(t.Text) && !isPlaceholder(t.Text) {
			todos = append(todos, t)
		}
	}
	return todos
}

// steps are the entries as next steps. One that is ticked is none.
func (l *list) steps() []string {
	var steps []string
	for i := range l.entries {
		e := &l.entries[i]
		if text := plainText(oneLine(e.text)); text != "" && !e.done() && !isNone(text) && !isPlaceholder(text) {
			steps = append(steps, text)
		}
	}
	return steps
}

// isNone reports whether a text says that there is nothing: "null", "None", "None this session (research)", "n/a".
func isNone(text string) bool {
	word := strings.ToLower(strings.Trim(text, " ._*()"))
	switch word {
	case "none", "null", "nil", "~", "n/a", "nothing":
		return true
	}
	rest, ok := strings.CutPrefix(word, "none")
	if !ok {
		return false
	}
	if strings.ContainsRune(".,;:(-–—", firstRune(strings.TrimLeft(rest, " "))) {
		return true
	}
	switch next, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " "); next {
	case "this", "remaining", "at", "for", "left", "yet", "pending", "outstanding":
		return strings.HasPrefix(rest, " ")
	}
	return false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// isPlaceholder reports whether a text is a place that a template leaves to be filled in: "[Priority-ordered action items]".
func isPlaceholder(text string) bool {
	inner, ok := strings.CutPrefix(text, "[")
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, "]")
	return ok && !strings.ContainsAny(inner, "[]")
}

// cutEntity takes what follows an ampersand off a text, and returns the character that it means.
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

// plainText takes the marks of code, of strong emphasis and of escapes out of a line. Within code they are its text.
func plainText(line string) string {
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
	return oneLine(b.String() + line)
}
